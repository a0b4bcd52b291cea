-- Why: an upload that broke off left the pieces of its file behind. What is stored now is removed by a job; this removes
-- what was left before. Old code must not run beside it: of an upload that is under way there it removes the pieces.

delete from bulk_import_parts p where p.kind = 'FILE' and not exists (
  select from bulk_imports i
  where i.platform_id = p.platform_id and i.environment = p.environment and i.id = p.import_id
);
