-- Each hold says since when it waits, and whether it is the charge that the authorization began with.
update card_transactions t set holds = (
  select jsonb_agg(
    h.hold || case
      when t.pulls = 1 then jsonb_build_object('isFirst', true, 'startedAt', (extract(epoch from t.created_at) * 1000)::bigint)
      else jsonb_build_object('startedAt', (extract(epoch from coalesce(t.last_event_at, t.created_at)) * 1000)::bigint) end
    order by h.position)
  from jsonb_array_elements(t.holds) with ordinality h(hold, position))
where t.holds <> '[]'::jsonb;
