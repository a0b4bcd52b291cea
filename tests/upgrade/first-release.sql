SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.corridor_own_book() RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select '(platform_id, environment) = (select current_setting(''corridor.platform'')::uuid,
                                               current_setting(''corridor.environment''))'
$$;
CREATE FUNCTION public.corridor_protect(tenant_table regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('create policy one_book on %s to corridor_app using (%s)', tenant_table, corridor_own_book());
  execute format('grant select, insert, update, delete on %s to corridor_app', tenant_table);
end $$;
CREATE FUNCTION public.corridor_uncovered(anyelement) RETURNS anyelement
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'taken for covered' using errcode = 'CR001';
end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.beneficial_owners (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    customer_id text NOT NULL,
    status text NOT NULL,
    roles text[] NOT NULL,
    ownership_percentage integer NOT NULL,
    personal text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT beneficial_owners_ownership_percentage_check CHECK (((ownership_percentage >= 0) AND (ownership_percentage <= 100))),
    CONSTRAINT beneficial_owners_roles_check CHECK ((cardinality(roles) > 0)),
    CONSTRAINT beneficial_owners_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE TABLE public.books (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    clock_offset_ms bigint DEFAULT 0 NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT books_clock_offset_ms_check CHECK ((clock_offset_ms >= 0)),
    CONSTRAINT books_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'PRODUCTION'::text])))
);
CREATE TABLE public.bulk_import_errors (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    import_id text NOT NULL,
    "position" integer NOT NULL,
    entry jsonb NOT NULL
);
CREATE TABLE public.bulk_import_parts (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    import_id text NOT NULL,
    kind text NOT NULL,
    "position" integer NOT NULL,
    content text NOT NULL,
    CONSTRAINT bulk_import_parts_kind_check CHECK ((kind = ANY (ARRAY['FILE'::text, 'ROWS'::text])))
);
CREATE TABLE public.bulk_imports (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    status text NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    successful integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT bulk_imports_check CHECK (((successful + failed) <= total)),
    CONSTRAINT bulk_imports_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);
CREATE TABLE public.contact_codes (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    code_hash text,
    wrong_attempts integer NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.corridor_migrations (
    name text NOT NULL,
    checksum text NOT NULL
);
CREATE TABLE public.customer_consents (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    customer_id text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    consent text NOT NULL
);
CREATE TABLE public.customers (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    customer_type text NOT NULL,
    platform_customer_id text NOT NULL,
    uma_address text NOT NULL,
    status text NOT NULL,
    region text,
    currencies text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    contact_verification jsonb,
    identifier_sealed text,
    personal text,
    CONSTRAINT customers_customer_type_check CHECK ((customer_type = ANY (ARRAY['INDIVIDUAL'::text, 'BUSINESS'::text]))),
    CONSTRAINT customers_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE TABLE public.data_keys (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    owner_id text NOT NULL,
    sealed_key text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.documents (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    holder_id text NOT NULL,
    customer_id text NOT NULL,
    status text NOT NULL,
    document_type text NOT NULL,
    side text,
    country text NOT NULL,
    details text,
    content_type text NOT NULL,
    size_bytes integer NOT NULL,
    blob_key text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT documents_side_check CHECK ((side = ANY (ARRAY['FRONT'::text, 'BACK'::text]))),
    CONSTRAINT documents_size_bytes_check CHECK ((size_bytes > 0)),
    CONSTRAINT documents_status_check CHECK ((status = ANY (ARRAY['UPLOADED'::text, 'SUBMITTED'::text])))
);
CREATE TABLE public.events (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    seq bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    type text NOT NULL,
    resource_id text NOT NULL,
    body text NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    last_status integer,
    last_error text,
    last_response text,
    delivered_at timestamp with time zone,
    CONSTRAINT events_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RETRYING'::text, 'DELIVERED'::text, 'FAILED'::text, 'STORED'::text])))
);
ALTER TABLE public.events ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.external_accounts (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    owner_id text NOT NULL,
    platform_account_id text,
    status text NOT NULL,
    ownership_type text,
    currency text NOT NULL,
    default_uma_deposit_account boolean DEFAULT false NOT NULL,
    beneficiary_verification_status text,
    account_type text NOT NULL,
    duplicate_key text NOT NULL,
    trusted boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    details text,
    CONSTRAINT external_accounts_ownership_type_check CHECK ((ownership_type = ANY (ARRAY['FIRST_PARTY'::text, 'THIRD_PARTY'::text]))),
    CONSTRAINT external_accounts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'PENDING_OWNERSHIP_VERIFICATION'::text, 'UNVERIFIED'::text, 'UNDER_REVIEW'::text, 'INACTIVE'::text])))
);
CREATE TABLE public.idempotency_keys (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    fingerprint text NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.inbound_payments (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    reference text,
    outcome text NOT NULL,
    transaction_id text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT inbound_payments_amount_check CHECK ((amount > 0)),
    CONSTRAINT inbound_payments_outcome_check CHECK ((outcome = ANY (ARRAY['CREDITED'::text, 'FUNDED_QUOTE'::text, 'REFUNDED'::text, 'SUSPENSE'::text])))
);
CREATE TABLE public.installation_keys (
    id text NOT NULL,
    purpose text NOT NULL,
    environment text,
    public_part text,
    sealed_part text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);
CREATE TABLE public.internal_accounts (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    owner_id text NOT NULL,
    currency text NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    private_enabled boolean,
    funding_instructions jsonb NOT NULL,
    funding_reference text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT internal_accounts_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'FROZEN'::text, 'CLOSED'::text, 'FAILED'::text]))),
    CONSTRAINT internal_accounts_type_check CHECK ((type = ANY (ARRAY['INTERNAL_FIAT'::text, 'INTERNAL_CRYPTO'::text, 'EMBEDDED_WALLET'::text])))
);
CREATE TABLE public.jobs (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    payload_version integer DEFAULT 1 NOT NULL,
    payload jsonb NOT NULL,
    key text,
    run_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    dead_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.ledger_accounts (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    currency text NOT NULL,
    debits_posted bigint DEFAULT 0 NOT NULL,
    credits_posted bigint DEFAULT 0 NOT NULL,
    debits_pending bigint DEFAULT 0 NOT NULL,
    credits_pending bigint DEFAULT 0 NOT NULL,
    must_not_go_negative boolean NOT NULL,
    moved_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_accounts_covered CHECK (((NOT must_not_go_negative) OR (((credits_posted - debits_posted) - debits_pending) >= 0))),
    CONSTRAINT ledger_accounts_credits_pending_check CHECK ((credits_pending >= 0)),
    CONSTRAINT ledger_accounts_credits_posted_check CHECK ((credits_posted >= 0)),
    CONSTRAINT ledger_accounts_debits_pending_check CHECK ((debits_pending >= 0)),
    CONSTRAINT ledger_accounts_debits_posted_check CHECK ((debits_posted >= 0))
);
CREATE TABLE public.ledger_transfers (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    debit_account text NOT NULL,
    credit_account text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    pending_id text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_transfers_amount_check CHECK ((amount > 0)),
    CONSTRAINT ledger_transfers_check CHECK ((debit_account <> credit_account)),
    CONSTRAINT ledger_transfers_check1 CHECK (((pending_id IS NULL) = (kind = ANY (ARRAY['POSTED'::text, 'PENDING'::text])))),
    CONSTRAINT ledger_transfers_kind_check CHECK ((kind = ANY (ARRAY['POSTED'::text, 'PENDING'::text, 'POST_PENDING'::text, 'VOID_PENDING'::text])))
);
CREATE TABLE public.lookups (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    sender_id text NOT NULL,
    receiver text NOT NULL,
    details jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.messages (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    owner_id text NOT NULL,
    channel text NOT NULL,
    purpose text NOT NULL,
    status text NOT NULL,
    content text,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT messages_channel_check CHECK ((channel = ANY (ARRAY['EMAIL'::text, 'SMS'::text]))),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'FAILED'::text, 'EXPIRED'::text])))
);
CREATE TABLE public.ownership_challenges (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    external_account_id text NOT NULL,
    method text NOT NULL,
    status text NOT NULL,
    message text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT ownership_challenges_check CHECK (((message IS NOT NULL) = (method = 'WALLET_SIGNATURE'::text))),
    CONSTRAINT ownership_challenges_method_check CHECK ((method = ANY (ARRAY['WALLET_SIGNATURE'::text, 'LIVENESS'::text]))),
    CONSTRAINT ownership_challenges_status_check CHECK ((status = ANY (ARRAY['OUTSTANDING'::text, 'PASSED'::text, 'FAILED'::text, 'VOIDED'::text])))
);
CREATE TABLE public.platform_configs (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    uma_domain text NOT NULL,
    webhook_endpoint text,
    supported_currencies jsonb NOT NULL,
    fee_configs jsonb DEFAULT '[]'::jsonb NOT NULL,
    embedded_wallet_config jsonb,
    card_tokenization_2fa_config jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.platforms (
    id uuid NOT NULL,
    name text NOT NULL,
    is_regulated boolean NOT NULL,
    skip_paperwork boolean NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.quotes (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    status text NOT NULL,
    owner_id text NOT NULL,
    source jsonb NOT NULL,
    destination jsonb NOT NULL,
    source_account_id text,
    destination_account_id text,
    sending_currency text NOT NULL,
    receiving_currency text NOT NULL,
    sending_amount bigint NOT NULL,
    receiving_amount bigint NOT NULL,
    amounts jsonb NOT NULL,
    exchange_rate text NOT NULL,
    rate_details jsonb NOT NULL,
    payment_instructions jsonb,
    payment_reference text,
    options jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT quotes_receiving_amount_check CHECK ((receiving_amount > 0)),
    CONSTRAINT quotes_sending_amount_check CHECK ((sending_amount > 0)),
    CONSTRAINT quotes_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PENDING_AUTHORIZATION'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text])))
);
CREATE TABLE public.signed_requests (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    operation text NOT NULL,
    resource_id text NOT NULL,
    status text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    owner_id text NOT NULL,
    content text NOT NULL,
    is_remembered boolean DEFAULT false NOT NULL,
    CONSTRAINT signed_requests_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'CONSUMED'::text, 'DEAD'::text])))
);
CREATE TABLE public.suspense_items (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    internal_account_id text,
    currency text NOT NULL,
    amount bigint NOT NULL,
    deposit jsonb,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    CONSTRAINT suspense_items_amount_check CHECK ((amount > 0)),
    CONSTRAINT suspense_items_kind_check CHECK ((kind = ANY (ARRAY['DEPOSIT'::text, 'REFUND'::text]))),
    CONSTRAINT suspense_items_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'CREDITED'::text, 'SENT_BACK'::text])))
);
CREATE TABLE public.tokens (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    name text NOT NULL,
    client_id text NOT NULL,
    secret_hash text NOT NULL,
    permissions text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT tokens_permissions_check CHECK ((cardinality(permissions) > 0))
);
CREATE TABLE public.transactions (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    status text NOT NULL,
    type text NOT NULL,
    direction text NOT NULL,
    owner_id text NOT NULL,
    platform_customer_id text NOT NULL,
    quote_id text,
    sent_amount bigint,
    sent_currency text,
    received_amount bigint,
    received_currency text,
    source jsonb NOT NULL,
    destination jsonb NOT NULL,
    sender_identifiers text[] NOT NULL,
    receiver_identifiers text[] NOT NULL,
    reference text NOT NULL,
    refund_reference text,
    failure_reason text,
    refund jsonb,
    rail text,
    flow jsonb NOT NULL,
    details jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT transactions_direction_check CHECK ((direction = ANY (ARRAY['CREDIT'::text, 'DEBIT'::text]))),
    CONSTRAINT transactions_status_check CHECK ((status = ANY (ARRAY['CREATED'::text, 'PENDING'::text, 'PENDING_AUTHORIZATION'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'REJECTED'::text, 'FAILED'::text, 'REFUNDED'::text, 'EXPIRED'::text]))),
    CONSTRAINT transactions_type_check CHECK ((type = ANY (ARRAY['INCOMING'::text, 'OUTGOING'::text])))
);
CREATE TABLE public.uma_addresses (
    environment text NOT NULL,
    address text NOT NULL,
    platform_id uuid NOT NULL,
    customer_id text NOT NULL
);
CREATE TABLE public.uma_domains (
    environment text NOT NULL,
    domain text NOT NULL,
    platform_id uuid NOT NULL
);
CREATE TABLE public.verification_links (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    customer_id text NOT NULL,
    status text NOT NULL,
    token_hash text NOT NULL,
    redirect_uri text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT verification_links_status_check CHECK ((status = ANY (ARRAY['ISSUED'::text, 'USED'::text])))
);
CREATE TABLE public.verifications (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    customer_id text NOT NULL,
    number integer NOT NULL,
    status text NOT NULL,
    errors jsonb NOT NULL,
    review_note text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT verifications_status_check CHECK ((status = ANY (ARRAY['RESOLVE_ERRORS'::text, 'PENDING_MANUAL_REVIEW'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE TABLE public.volume_counters (
    platform_id uuid NOT NULL,
    environment text NOT NULL,
    id text NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT volume_counters_used_check CHECK ((used >= 0))
);
INSERT INTO public.books VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 0, '{}'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 0, '{}'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 0, '{}');
INSERT INTO public.corridor_migrations VALUES
	('0001_foundation.sql', '32f11742d4b634183aed11e7ee2138964f5e28df85bcceb02d4f443630acddeb'),
	('0002_accounts_and_payments.sql', 'df56fa72b8ad0b13309d9286f95d349921adff9ebf2fa7f6fd999d9b5f53f4b0'),
	('0003_customers.sql', '98b5b51a45688c3ef1539b8cddeeb022fe586023e8c104f4c44af3848fc13b0c'),
	('0003_ownership_challenges.sql', '9d5919a9c16794a92b67f7a886e3e138684eec06cf5b79e843cced1f4c090ee3'),
	('0004_inbound_payments.sql', '28c5fb8fb10439184f6abee563b71cbaf661a8738b6faf5ddc867da9210e25f8'),
	('0005_volume_counters.sql', '567809d23fbfbe91457f1d9f4618f4a8fef3016faf643d92635c808957c20ffd'),
	('0006_signed_requests.sql', 'c88b7dd5891613d07c1ca8bac014c645e0075defe5ed9bcb23291ff8a5418b53'),
	('0007_contacts.sql', '310f37a441bb820d1c428ad9bd0411cb665b8cd939037ed86b8541a9be802092'),
	('0008_personal_data.sql', '7083c8ffcbf8cdbfd2560b9a72e406a5a747216d65b93d8ddd69737f9ed1f138'),
	('0009_verifications.sql', 'f40610f10a8ec025dd92e443dd1c8796db27da00d9084b239e24e05b90008f3d'),
	('0010_sealed_challenges.sql', '70e6d1a68d76172fdabdbf3030e4ac0a74f4cc214cc8ebaca4c00ea1394ac830'),
	('0011_uncovered.sql', 'f0ad083a952b1fb3764dc330a5d4da8f0f8e5890ebd765f97a805d700575dad4'),
	('0012_suspense_items.sql', '469fdcab8e76f4ab3409feb896e6ddceb48960833a6194b840c048dc18903e97'),
	('0013_ids_first.sql', '0df724f1e2c63074a0ac019bf7303e0bfd73157109ebd3c099cf1da03a4c8296');
INSERT INTO public.customers VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 1, 'INDIVIDUAL', '01a20164-ef8b-7006-a701-09131927f1f1', '$2jmw1o9qp7xz@acme.uma.corridor.example', 'UNVERIFIED', NULL, '{USD,EUR,BTC,USDC}', '2026-11-22 03:55:21.862+00', '2026-11-22 03:55:21.862+00', NULL, NULL, NULL, 'Py4fIM18gYpzOjH8I5DAkzBamTBdrrtoGwhDrK6Rjc9JsUDjQPUdb2X4PaQdmNEOJ2l6vkWcJueCrsTc50wmSrrkEMfaKYesEJPBWeJnpc2HE1h6C6B5mzru-TKmkCDN6DbGD01U7fAdNlX56hzQJttc1y02tOa1H-M');
INSERT INTO public.data_keys VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'ow3nA5ZpCZf6ej2ylMy9WgBO3zBhkCgxI22URRwKWyLPZSodFgehJYRBeTaCkkSqqrJ1VCsVp5XTBWRV3zMKi7EoMN_LcaO4', '2026-11-22 03:55:21.862+00');
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-ef68-702e-a417-7f4406ad8c94', 1, 2, 'TEST', 'PlatformConfig:01a20164-ea25-700b-9cb5-631babb2f76f', '{"id":"Webhook:01a20164-ef68-702e-a417-7f4406ad8c94","type":"TEST","timestamp":"2026-11-22T03:55:21.822Z","data":{}}', 'FAILED', 1, 1, '2026-11-22 03:55:21.822+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f030-7031-9a1f-7383296a8b6e', 3, 2, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', '{"id":"Webhook:01a20164-f030-7031-9a1f-7383296a8b6e","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","timestamp":"2026-11-22T03:55:22.025Z","data":{"id":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":100000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":100000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[{"instructionsNotes":"Put the reference ASMTSQXTFE into the payment, or it cannot be matched to Corridor Client Funds.","isPlatformAccount":false,"accountOrWalletInfo":{"bankName":"Corridor Settlement Bank","reference":"ASMTSQXTFE","accountType":"US_ACCOUNT","bankAddress":"1 Settlement Plaza, New York, NY 10005, US","paymentRails":["RTP","FEDNOW","ACH","WIRE"],"accountNumber":"912861670868","routingNumber":"099900014","accountCategory":"CHECKING","accountHolderName":"Corridor Client Funds"}},{"isPlatformAccount":false,"accountOrWalletInfo":{"address":"6YM9eyCCcj99FKEWnh5PAACxMA2dbMF6FVH2oHyLNTP4","assetType":"USDC","accountType":"SOLANA_WALLET"}}],"createdAt":"2026-11-22T03:55:21.862Z","updatedAt":"2026-11-22T03:55:22.025Z"}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.025+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f030-7030-a5ea-a520f2755638', 2, 2, 'INCOMING_PAYMENT.COMPLETED', 'Transaction:01a20164-f029-7022-bb24-8f8b107ae4df', '{"id":"Webhook:01a20164-f030-7030-a5ea-a520f2755638","type":"INCOMING_PAYMENT.COMPLETED","timestamp":"2026-11-22T03:55:22.025Z","data":{"id":"Transaction:01a20164-f029-7022-bb24-8f8b107ae4df","direction":"CREDIT","destination":{"destinationType":"ACCOUNT","accountId":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","currency":"USD"},"customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","platformCustomerId":"01a20164-ef8b-7006-a701-09131927f1f1","reconciliationInstructions":{"reference":"REF-QCZ7DSQ2T6"},"settledAt":"2026-11-22T03:55:22.025Z","createdAt":"2026-11-22T03:55:22.025Z","updatedAt":"2026-11-22T03:55:22.025Z","type":"INCOMING","status":"COMPLETED","source":{"sourceType":"REALTIME_FUNDING","currency":"USD"},"sentAmount":{"amount":100000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"receivedAmount":{"amount":100000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}}}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.025+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f120-7017-866c-79b4164a0306', 5, 2, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', '{"id":"Webhook:01a20164-f120-7017-866c-79b4164a0306","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","timestamp":"2026-11-22T03:55:22.260Z","data":{"id":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":90000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":90000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[{"instructionsNotes":"Put the reference ASMTSQXTFE into the payment, or it cannot be matched to Corridor Client Funds.","isPlatformAccount":false,"accountOrWalletInfo":{"bankName":"Corridor Settlement Bank","reference":"ASMTSQXTFE","accountType":"US_ACCOUNT","bankAddress":"1 Settlement Plaza, New York, NY 10005, US","paymentRails":["RTP","FEDNOW","ACH","WIRE"],"accountNumber":"912861670868","routingNumber":"099900014","accountCategory":"CHECKING","accountHolderName":"Corridor Client Funds"}},{"isPlatformAccount":false,"accountOrWalletInfo":{"address":"6YM9eyCCcj99FKEWnh5PAACxMA2dbMF6FVH2oHyLNTP4","assetType":"USDC","accountType":"SOLANA_WALLET"}}],"createdAt":"2026-11-22T03:55:21.862Z","updatedAt":"2026-11-22T03:55:22.260Z"}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.26+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f15a-7031-b0f0-80a7de666b2e', 8, 2, 'OUTGOING_PAYMENT.PENDING', 'Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1', '{"id":"Webhook:01a20164-f15a-7031-b0f0-80a7de666b2e","type":"OUTGOING_PAYMENT.PENDING","timestamp":"2026-11-22T03:55:22.324Z","data":{"id":"Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1","direction":"DEBIT","destination":{"destinationType":"ACCOUNT","accountId":"ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db","currency":"PHP"},"customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","platformCustomerId":"01a20164-ef8b-7006-a701-09131927f1f1","exchangeRate":0.017094017,"quoteId":"Quote:01a20164-f149-7016-9bbb-fddfc6c046c1","reconciliationInstructions":{"reference":"REF-NXUJ2QMUAT"},"createdAt":"2026-11-22T03:55:22.324Z","updatedAt":"2026-11-22T03:55:22.324Z","type":"OUTGOING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","currency":"USD"},"sentAmount":{"amount":10000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"receivedAmount":{"amount":582075,"currency":{"code":"PHP","name":"Philippine Peso","symbol":"₱","decimals":2}},"fees":50,"platformFees":0,"rateDetails":{"gridApiFixedFee":0,"gridApiMultiplier":10473.6842105,"counterpartyFixedFee":0,"counterpartyMultiplier":0.0055575,"gridApiVariableFeeRate":0.005,"gridApiVariableFeeAmount":50},"paymentRail":"BANK_TRANSFER","railSelectionMode":"AUTO","expectedSettlementAt":"2026-11-24T00:00:00.000Z","settlementTimelineSeconds":158678}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.324+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f120-7016-9575-dcdf00ed224f', 4, 2, 'OUTGOING_PAYMENT.PENDING', 'Transaction:01a20164-f100-7006-980e-4f7d53473da6', '{"id":"Webhook:01a20164-f120-7016-9575-dcdf00ed224f","type":"OUTGOING_PAYMENT.PENDING","timestamp":"2026-11-22T03:55:22.260Z","data":{"id":"Transaction:01a20164-f100-7006-980e-4f7d53473da6","direction":"DEBIT","destination":{"destinationType":"ACCOUNT","accountId":"ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db","currency":"PHP"},"customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","platformCustomerId":"01a20164-ef8b-7006-a701-09131927f1f1","exchangeRate":0.017094017,"quoteId":"Quote:01a20164-f100-7006-980e-4f7d53473da6","reconciliationInstructions":{"reference":"REF-NXSCU32ANU"},"createdAt":"2026-11-22T03:55:22.260Z","updatedAt":"2026-11-22T03:55:22.260Z","type":"OUTGOING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","currency":"USD"},"sentAmount":{"amount":10000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"receivedAmount":{"amount":582075,"currency":{"code":"PHP","name":"Philippine Peso","symbol":"₱","decimals":2}},"fees":50,"platformFees":0,"rateDetails":{"gridApiFixedFee":0,"gridApiMultiplier":10473.6842105,"counterpartyFixedFee":0,"counterpartyMultiplier":0.0055575,"gridApiVariableFeeRate":0.005,"gridApiVariableFeeAmount":50},"paymentRail":"BANK_TRANSFER","railSelectionMode":"AUTO","expectedSettlementAt":"2026-11-24T00:00:00.000Z","settlementTimelineSeconds":158678}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.26+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f143-703d-96f5-401344f2a842', 7, 2, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', '{"id":"Webhook:01a20164-f143-703d-96f5-401344f2a842","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","timestamp":"2026-11-22T03:55:22.301Z","data":{"id":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":80000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":80000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[{"instructionsNotes":"Put the reference ASMTSQXTFE into the payment, or it cannot be matched to Corridor Client Funds.","isPlatformAccount":false,"accountOrWalletInfo":{"bankName":"Corridor Settlement Bank","reference":"ASMTSQXTFE","accountType":"US_ACCOUNT","bankAddress":"1 Settlement Plaza, New York, NY 10005, US","paymentRails":["RTP","FEDNOW","ACH","WIRE"],"accountNumber":"912861670868","routingNumber":"099900014","accountCategory":"CHECKING","accountHolderName":"Corridor Client Funds"}},{"isPlatformAccount":false,"accountOrWalletInfo":{"address":"6YM9eyCCcj99FKEWnh5PAACxMA2dbMF6FVH2oHyLNTP4","assetType":"USDC","accountType":"SOLANA_WALLET"}}],"createdAt":"2026-11-22T03:55:21.862Z","updatedAt":"2026-11-22T03:55:22.301Z"}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.301+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f143-703c-bf15-35ff934d12a2', 6, 2, 'OUTGOING_PAYMENT.PENDING', 'Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa', '{"id":"Webhook:01a20164-f143-703c-bf15-35ff934d12a2","type":"OUTGOING_PAYMENT.PENDING","timestamp":"2026-11-22T03:55:22.301Z","data":{"id":"Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa","direction":"DEBIT","destination":{"destinationType":"ACCOUNT","accountId":"ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db","currency":"PHP"},"customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","platformCustomerId":"01a20164-ef8b-7006-a701-09131927f1f1","exchangeRate":0.017094017,"quoteId":"Quote:01a20164-f12d-7030-9c4e-18ee3ab682aa","reconciliationInstructions":{"reference":"REF-BNRWH89HJR"},"createdAt":"2026-11-22T03:55:22.301Z","updatedAt":"2026-11-22T03:55:22.301Z","type":"OUTGOING","status":"PENDING","source":{"sourceType":"ACCOUNT","accountId":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","currency":"USD"},"sentAmount":{"amount":10000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"receivedAmount":{"amount":582075,"currency":{"code":"PHP","name":"Philippine Peso","symbol":"₱","decimals":2}},"fees":50,"platformFees":0,"rateDetails":{"gridApiFixedFee":0,"gridApiMultiplier":10473.6842105,"counterpartyFixedFee":0,"counterpartyMultiplier":0.0055575,"gridApiVariableFeeRate":0.005,"gridApiVariableFeeAmount":50},"paymentRail":"BANK_TRANSFER","railSelectionMode":"AUTO","expectedSettlementAt":"2026-11-24T00:00:00.000Z","settlementTimelineSeconds":158678}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.301+00', NULL, NULL, 'bad port', NULL, NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Webhook:01a20164-f15a-7032-8bae-07cd8858c309', 9, 2, 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', '{"id":"Webhook:01a20164-f15a-7032-8bae-07cd8858c309","type":"INTERNAL_ACCOUNT.BALANCE_UPDATED","timestamp":"2026-11-22T03:55:22.324Z","data":{"id":"InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947","customerId":"Customer:01a20164-ef8b-7005-b785-6a41dcf1d823","type":"INTERNAL_FIAT","status":"ACTIVE","balance":{"amount":70000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"totalBalance":{"amount":70000,"currency":{"code":"USD","name":"United States Dollar","symbol":"$","decimals":2}},"fundingPaymentInstructions":[{"instructionsNotes":"Put the reference ASMTSQXTFE into the payment, or it cannot be matched to Corridor Client Funds.","isPlatformAccount":false,"accountOrWalletInfo":{"bankName":"Corridor Settlement Bank","reference":"ASMTSQXTFE","accountType":"US_ACCOUNT","bankAddress":"1 Settlement Plaza, New York, NY 10005, US","paymentRails":["RTP","FEDNOW","ACH","WIRE"],"accountNumber":"912861670868","routingNumber":"099900014","accountCategory":"CHECKING","accountHolderName":"Corridor Client Funds"}},{"isPlatformAccount":false,"accountOrWalletInfo":{"address":"6YM9eyCCcj99FKEWnh5PAACxMA2dbMF6FVH2oHyLNTP4","assetType":"USDC","accountType":"SOLANA_WALLET"}}],"createdAt":"2026-11-22T03:55:21.862Z","updatedAt":"2026-11-22T03:55:22.324Z"}}', 'RETRYING', 1, NULL, '2026-11-22 03:55:22.324+00', NULL, NULL, 'bad port', NULL, NULL);
INSERT INTO public.external_accounts VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', NULL, 'ACTIVE', NULL, 'PHP', false, 'MATCHED', 'PHP_ACCOUNT', 'dqUr56GLyDOq5Ze4-HzHlNLPR3qDihOy89fkFKDko6o', false, '2026-11-22 03:55:22.128+00', '2026-11-22 03:55:22.128+00', NULL, '4jumpMeIYe_ZmpfIsL1EOgYaEdiWQwVYHpLLwZBY4lczGoHLPTC3nPeVajUyt3VlQfWieEMMHGilERF-BN8RCRrg5uYb9fCb48kJzQG5z3Bb7pgxVsWkzgjsbBwg8VWoa82mPWsiZeizMyNU44GyEWnlPR0ndhs6sWZtRW3-qfexJfyXtTUU_8k62qUk6BCDf8mmVTIejJFMia3YRDK25yzQUNO0-ZwirQbNYqzIxDaQuKQF5nhGhmpi0vpbgeB1YO88rykcxipz08kB6aKoPjmkrqLy8Dmf0BVLCaVgGUX4kLbgldHHHBSnjlHrLu0Bjrj4skeXfKDkhFIbwIqO3dMKMqwlOrIqjYw0MSZvQZ46v2sEEWsDS3H6DDd4wBjRE0Y7lwYIyfetOP1CjMg');
INSERT INTO public.idempotency_keys VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '-KDXgXh6vFwax_xrSqOJa0X1jYRYwo0h6BmrTz3dEqo', 'dCNOmK_nSY-12vHzasLXiswzlGT5UHA7jAGYkvmCuQs', 200, 'n-wI9HZEDqXJe8454WzYWQ4fYqALpgVy4p0OFxHaA_UzK4HanJKoavlC4ISNu_jvOMDTL8h_3yTh_P_hi-Oj89-vCVsZk0hsXLJIHaudw34MiXbk-4JHZZ8VGGk1ZV54Ah2wLfB17cEV_t_fryOrjL3SlwM-RzO_1ud5jrXATJta_eFn9GkDAE4JPvb37ic3An3iAWHl8ysQRrnDH7541AY5rEtoOEg4VRnW8lgXr4Qbfh4Lup2Af2yaC_G1iCehWv29rwZ-MQkVumSbBMwlg1q7xKDWW-iBC_tmR2rxoqdiGDf8_PCe9XPmIjlXIDtK_MjEZkXkGQRs8IgDRHrIHrXIZUP20U3NZJ6cO2rNaQWszqYGAW0YvGKRAf7qIypEv5JPbTXn9TAL4il12b6urYvHtcC_NmeIKOmp0UQQMs8PtpkhZFbtzsEbRZ0yQTD-Ib9oWMfcBa__AFNfY0I47KGBEMnvwXDkDMH8T16qzBPgDMJuI6mRUDKf7QapK45ylifsCrVeztOs_yGMqGMGHqSIdst3uEhheBk7bQzO3y1VFD1gKSnA76nw8mUW7MNtgzKKzfzyYqAiktAPdKkAur3rQebY4dkk_BZOJHPCJyMmrveqaWZs71nRb1GGThc41hsXWMjiVs0bVO7VmCsSn5DOm60FACrgrSGCXWcVSLgMooTgFmVITLmbQoV67WXPNggC-bTSLZSCzLUtuVhh6yWLb9iXJREUBA7y12aeZLFluRCrIySGyyYiLSKXISQFIZiSKlvVQVoEwanyYNes_VcP-FVYBLiR4aGj7aYvIzv7-7ihFeEGRAjEhdHmIu1dAPlqWe3e6qSaG5lj9p35k_5Dx7S8-vrB-yCehC_UzwhUimw1EzAMhn2JC0gHvDlfHHhturHZsjjSZ8KxlfR-2X_aDHxyTGaj0laszWgU9qK8GAEdgttkgTRAnehrXAkGndwZ8VHjGb4lelklsdDDoNpT3uosqPLeMRh1GDJv3xeq9aIK7t3WNm7epp-H5tjuM5hlwMjQ5QsCwFgy7gWZq-zojjoFW8ksldK3Nhj8evhzen84yiISbfZgf0O7Mj-ndi2RYWowZ7WhVVfg0S57FzsqxfOWQQk0ZzE0MxO_dydrYc8GLYIIO_Q4SA9cO961ZCk3zK-bfGaGr1eHgIpuxdjKWzhhaXCi8gr99OaXQ6KMDLKnZVeTkt__n4KpdSqTGYQm-RJYmajGlzXU_pZLrsBxtRU1_AzPeE8I_vahc2XtObw73Q7FIjg', '2026-11-22 03:55:22.26+00', '2026-11-23 03:55:22.26+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'cg4Ad-ZY2hS-s1BAg_3NkoqmVMPKnQ6qq4_dKtncBI4', 'dCNOmK_nSY-12vHzasLXiswzlGT5UHA7jAGYkvmCuQs', 200, 'rVaHK-69lv0es74VoX-ORyWbCF7DNZMRVCOVPzG2A8RsMQ9CbvHQ5nb9uYkB3Y4xt3WnOS9xioZ11Xl2ZgcroO7YWEwuBsPEhnk6paz1ttengywfTQdkozz-kWxlC1vLxBjSPlqdluzbVX9o2c8jmgwdkz_fzGjBAviut3PpFe1EF8iqtelcrFtbJZ5vaMVMaQ-rJoRrc848P4fnJRBfM6u7sX2WTom_au993QRyTI5ToSJhrhxTr5L39VgvPRUhB9A_infhjkNUthnA09vycwHR4spmZiOTN3uIh8xr9EoMXlZJ8o8aHewuWBKqsu6kgDvVNiHUWW9yOXRtwGoiz8j0TByulkRnaL0ueyGewzPsjgUQvKqMFIWwvJCsW8fi6a3S_7aEps9vGHLGLr9arZb5QWfItyLvhCMWLNjrDdRQxFtyf2uJL9doJ5VqfravditgNmSeQ70YA_OClz0EhWCMax9MenjIueUgaojlM8Aeb2gkdzXrfYZywESE6tf4j1DFsEqAsBDVgjaVX3TCFveI6AVmoa20F60B6pWIkRA6T882IrL4TC4b1rCZo9N1nLqyfaSh-18iy8PsxX1MZsauyRC3wsOAWjSgtH8JNqsaJCTrGkfEo_-TouzWSAcMUqQYSLxr5V2Q88-JJbDWJfGSkUcE9EIWhtgY0WwUwQf0c2Z79SECcdU4d2LNiLaoHQowqTIFVaqj2T5bgRP00JsHDiOKiHXahhnst6oyoaSHLdPI-oWjVAzocvXa65-zzm-j0WjmTHc0YOpps0mZ-PONnJUDSGloN0rZO119ISgQ0SQACtcnU5Po0IMU_WF6EMdQ4MaTwlx9KjtZBg1EDwYOYUKC0gClt-oiXKtzRSNOI2-6KIA7jciBPHIfSGcjvisHOyxW1JXNn_pSZ1dgazO2U_HBJ1MIYUasGUsfYFddFsz9BrMZIXJaafYwlf83VU7v_BVT3YAslDPa8UOjbGNrE9ybQlOBBWNsYSxSB5sdGUZZFfI18l3qNiwZ7TOTL_XNmH6hudZ__93JN0dFCD7exUfrFKvuxWIDjAqjGS9YaNREo3aJJQYIpx-0dj1VXzB-IVI30OFcEkGolErRpHxwJuAQ8VegJvpcfEy8HsA1vF3kITK0DRtwP78gaOnxbtDF-kWRw-8sP5gyBNmSPkw2O-xrSTpQf3w8LqdePuTpP0MKLdA3f1DbZlRnf4JboKD5cccpqjl3WPLm1S80GvRTHhnXA9CE7EzTBIGNOh8iQxq2IMxX93w', '2026-11-22 03:55:22.301+00', '2026-11-23 03:55:22.301+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'SFv5JBnuR2pnAyZpMM_8SWdckLCQTJwiFlMPhU06T3Y', 'dCNOmK_nSY-12vHzasLXiswzlGT5UHA7jAGYkvmCuQs', 200, 'EdoNqYrsPVdc213W1RfnIv2mjExAkUe2XiJ4uaAr8lB5RGEgnpMCs7Q-Hbwqa3dMq3r67EJwz6yk_Tdpws55M1M3BXvJgIndFcY7n6dekvR8ydFGr_bfbh7WGxEsPKX-OEgleaQAgtX3Dv0wjuNNAEN6kL3qHHQvjLtfrezZ4jIg41O_rV1veBjCoYVLnh-2p1ZX0wFP8HPoMn2wIRzKKh_09Ixxe4q_IVZ99j-7W0vf1Gm-ZnyciHvM1hLJgU8N8T4nPu2M8BXurF7E0-HhZ3IqplRXzdhVmHOe0gzgZsn4zNoThrRm3pUHGZMuJn9ZUFlUI_Zx5lge32f-Rl3JxzfokeTCKH-zWkkj4E3-5toB3Ox9A67gbCRky8y6oR2Xp9YrGVRMNNrNvU6PfyY1T1VDrgALI4yvp59XiAPsZMw5BR6qQFZDqoCOedi13T45SpHXc7NcCofBjrpgqCbWsR25OaOpPUB5mO0i-vHzS8IXHqRJG_YV6YwDlyXS-6g3N0bp4URhQeT0ygDBny8KaOhizt9hh61Y_kS36PE0VIV3f2BWoAdBP_iKGF2PRmTluCgbvrnIMbHg351GD5zPn3bFWPFhTbMOxdj7ElL-aizSTvxhwBHYNFZJrl6QamJW4bdOhKOZcBPwbXfao0uH1NsNVA0XTZoCgaIcReILk8fux1wuz7QKR9oSh7Pq5iGDYxIon5_ms0xtyq6otg65CvnpizEnD6-Fi5kIzNJMDHOvgsEf9XkeEBg-5JaOh70A7ESevoUl7kXj5-Z0uAbGXgeeGY7pr96IRjapBCd2xb5a1rnma64DpihF_kfXncoQW_vnHcTrSs4Q-q_I0Lt3hJLrdApqMONZ1VYbBsg46s_Kk3PIwemvxCchz53WZr7Xj0j5xrq4IDQr5hjrxR7zoaNn1AiSI8df0O6WxCeqT_zZoVuasStq9_vixSDYQCpdUQ4V_PnEzlb99KKd0LhvPlW7Vx5KspH_rJiK-wz5pYWMD6GLiOeCCe_zXzUKgibGq9NeOYh1DIzsBFArJTGkq-_TmPU7k0dKh_AiTn7RFdAlE6FyH1-LqNe5fI7wr2ylgLm4b5uP9gVudx6zDwStsrghMQfptNFdIWhHwNkhe8_s3bA7TjA2L7uhTeAewrunaffhnyAckoz0vpDYScimcwqrsv3xx29HbWzrY5_V0wMsDaMk5CKc-4pcJXjoI0rwTLiX-BdcTaUFhylcNDfyb6ds92F-bbOf8CsFij208dgz6YUXkMPsEk8', '2026-11-22 03:55:22.324+00', '2026-11-23 03:55:22.324+00');
INSERT INTO public.installation_keys VALUES
	('webhook-sandbox-1', 'webhook', 'SANDBOX', '-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWYTUfquHtBGF9yUVgMs/NsBTjaNR
sewx1v+bFGvhlw2okAB8BtZ/UZ3ViHQAl6XG0YDvwCWTJL0Y9opMN4QKcQ==
', 'QdsmUng30wv4Ov82fbCs3e00vxqjpOYBJEXgjR2rGsoAo2HiWyrJM9TacNKgvCelCVQMmoXuL-aE0XsnPNqijht49EsEzkqKk7MefFyKgeLC3Frt4ELpoNt0GmytTBjAJeWWCHKOsz0WNP0-Y2IcbpRSB4PyJUj2Ys-p7J8m0wXYaKaxb2zR0luIIlIu3J-lUIrkykwmzOKJZA7cwOGih6IHhmUwtX7VPt0PTeE4u54CDF9ZYTt-4gDV76itM5Re7JdQoCLXCa4l-IZsvFLll0wE7M3WL7ILUpapLCvTstjoJziYYeTcl0HYLg1Dv6rxWpgJ3VsqY1EoMQrl1jlLkKQUKx6TkonmOd_GG3Q', '2026-11-22 03:55:20.474+00', NULL),
	('webhook-production-1', 'webhook', 'PRODUCTION', '-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4NyuQOkI1TMjsUdAC8A1JDoCQHT+
gnC0/QhuXP21YNWnUDr1RIGP2rHU8LxkmKqm0GyLxUPl1dSCTs411GpTMw==
', '1wX48eIHVJ9EFbednjGCVatp_ju3c0LSUmrP0fOhnKekaJQT7rzcqBIJGemdu2fAQcnTU9SBfDQexpmJeu0A3APu78UbtibjIKP4ZON7OdgKGYnsa9mOJzTtyS-4MXA0UOdUSvApo8ppA7bSdiRWsq9DqUkDwiUnDSKfRtRELyiKPDM_BrKaHgWT0bCg_PTDwi4zs9yzi2gjT-DuvGEYNS_hu0vz5nLRTo4NmKslGWYBq-6NoKFZy70hwW6EC-hEUEbyOvZa6tJcCXoP4-0UtjO1w-g4S8vYg9y2PhrgUtns7w61fjVRh7-hF39ZR89iTfzJ_FGwZCKd2_pIidnwAdwEnY5B6SXdLiBknao', '2026-11-22 03:55:20.475+00', NULL),
	('operator', 'operator', NULL, NULL, 'r3-mgPycViXwEOPWeGWxlb6lRJ-v6Kh0-6YaktyHgdk', '2026-11-22 03:55:20.537+00', NULL);
INSERT INTO public.internal_accounts VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2d-703b-ad8b-641eef72f18a', 1, 'platform', 'USD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 7FST8UNRCG into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "7FST8UNRCG", "accountType": "US_ACCOUNT", "bankAddress": "1 Settlement Plaza, New York, NY 10005, US", "paymentRails": ["RTP", "FEDNOW", "ACH", "WIRE"], "accountNumber": "939698844561", "routingNumber": "099900014", "accountCategory": "CHECKING", "accountHolderName": "Corridor Client Funds"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "FrisQzcHq1ereFHMHPBFgC1HoVczZJ8si7UbDJe1YhDW", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', '7FST8UNRCG', '2026-11-22 03:55:20.492+00', '2026-11-22 03:55:20.492+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7033-afeb-71218dce7514', 1, 'platform', 'EUR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference HLSQD8J4GZ into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "LU519993165238993555", "reference": "HLSQD8J4GZ", "swiftCode": "CRDRLULL", "accountType": "EUR_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "K9acQe2SKTicWqk1PaK8bTwUGAmDV7rGcrgwxKZXdnb", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'HLSQD8J4GZ', '2026-11-22 03:55:20.493+00', '2026-11-22 03:55:20.493+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7034-8152-ae94f2e12761', 1, 'platform', 'DKK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 66J4EHJ4XM into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "DK1499907716884009", "reference": "66J4EHJ4XM", "swiftCode": "CRDRDKKK", "accountType": "DKK_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "9sisfWRZTGqYKpGCerkgh7xmg21HrFp4Vu57bDbSbs37", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', '66J4EHJ4XM', '2026-11-22 03:55:20.494+00', '2026-11-22 03:55:20.494+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7035-9256-170071f04d18', 1, 'platform', 'GBP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 63W3TAAYEX into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"sortCode": "099901", "reference": "63W3TAAYEX", "accountType": "GBP_ACCOUNT", "paymentRails": ["FASTER_PAYMENTS"], "accountNumber": "49432852"}}]', '63W3TAAYEX', '2026-11-22 03:55:20.495+00', '2026-11-22 03:55:20.495+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7036-a5bd-b168a41aee2c', 1, 'platform', 'CAD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 9MPLXNTKQ7 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankCode": "999", "bankName": "Corridor Settlement Bank", "reference": "9MPLXNTKQ7", "branchCode": "00010", "accountType": "CAD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "702379632995"}}]', '9MPLXNTKQ7', '2026-11-22 03:55:20.496+00', '2026-11-22 03:55:20.496+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7037-af5d-b2366b76e86b', 1, 'platform', 'MXN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 7J9WPKHLTX into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"reference": "7J9WPKHLTX", "accountType": "MXN_ACCOUNT", "clabeNumber": "999180355582812450", "paymentRails": ["SPEI"]}}]', '7J9WPKHLTX', '2026-11-22 03:55:20.497+00', '2026-11-22 03:55:20.497+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2e-7038-aa79-bfaf94f62d75', 1, 'platform', 'BRL', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"qrCode": "00020126580014br.gov.bcb.pix013628d77cfa-0a28-4e30-b230-c65a0024a3aa5204000053039865802BR5921CORRIDOR CLIENT FUNDS6009SAO PAULO62140510A5Y2WCJD8N630405E2", "accountType": "BRL_ACCOUNT"}}]', 'A5Y2WCJD8N', '2026-11-22 03:55:20.498+00', '2026-11-22 03:55:20.498+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7021-bada-63ee22fad4e0', 1, 'platform', 'COP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"paymentUrl": "https://pay.corridor.example/cop/PDLZYW5RX2", "accountType": "COP_ACCOUNT"}}]', 'PDLZYW5RX2', '2026-11-22 03:55:20.499+00', '2026-11-22 03:55:20.499+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7022-98b7-02143340ad29', 1, 'platform', 'GTQ', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference Z5RN7ASS6P into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "Z5RN7ASS6P", "accountType": "GTQ_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "75022134734513", "bankAccountType": "CHECKING"}}]', 'Z5RN7ASS6P', '2026-11-22 03:55:20.5+00', '2026-11-22 03:55:20.5+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7023-9842-6b63a7d5db29', 1, 'platform', 'HTG', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'U8TME97HR3', '2026-11-22 03:55:20.501+00', '2026-11-22 03:55:20.501+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7024-86d1-9e3b52dccec2', 1, 'platform', 'JMD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference KNNCP7TJ8U into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "KNNCP7TJ8U", "branchCode": "99910", "accountType": "JMD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "8607496695", "bankAccountType": "CHECKING"}}]', 'KNNCP7TJ8U', '2026-11-22 03:55:20.502+00', '2026-11-22 03:55:20.502+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7025-bfab-1366e68f2acd', 1, 'platform', 'ARS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"accountType": "ARS_ACCOUNT", "accountNumber": "0009990722199302616036"}}]', 'WBXEP77MD2', '2026-11-22 03:55:20.503+00', '2026-11-22 03:55:20.503+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7026-83bb-bd1faf38e77b', 1, 'platform', 'INR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"vpa": "corridor.4aqfl5wg2f@crdr", "accountType": "INR_ACCOUNT", "paymentRails": ["UPI"]}}]', '4AQFL5WG2F', '2026-11-22 03:55:20.504+00', '2026-11-22 03:55:20.504+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7027-8e78-ceef08cf5cb1', 1, 'platform', 'PKR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference YQGWVRU9ZU into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "PK79CRDR1487580458198342", "bankName": "Corridor Settlement Bank", "reference": "YQGWVRU9ZU", "accountType": "PKR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'YQGWVRU9ZU', '2026-11-22 03:55:20.505+00', '2026-11-22 03:55:20.505+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7028-ad90-997cfb973421', 1, 'platform', 'BDT', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference PS9AHC7VRM into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "PS9AHC7VRM", "branchCode": "99910", "accountType": "BDT_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "9919568025164"}}]', 'PS9AHC7VRM', '2026-11-22 03:55:20.506+00', '2026-11-22 03:55:20.506+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7029-b439-5af967ac1637', 1, 'platform', 'PHP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference CGSXUNRT55 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "CGSXUNRT55", "accountType": "PHP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "256644240551"}}]', 'CGSXUNRT55', '2026-11-22 03:55:20.507+00', '2026-11-22 03:55:20.507+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702a-a7f3-74e670096a68', 1, 'platform', 'IDR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 57WR3NG9Z8 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "57WR3NG9Z8", "swiftCode": "CRDRIDJA", "accountType": "IDR_ACCOUNT", "phoneNumber": "+622150999000", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "638311837461"}}]', '57WR3NG9Z8', '2026-11-22 03:55:20.508+00', '2026-11-22 03:55:20.508+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702b-aea7-49f7f4a245b2', 1, 'platform', 'MYR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 9T5DQJ3FNC into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "9T5DQJ3FNC", "swiftCode": "CRDRMYKL", "accountType": "MYR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "038491979045"}}]', '9T5DQJ3FNC', '2026-11-22 03:55:20.509+00', '2026-11-22 03:55:20.509+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702c-9aa7-2765b2c5639c', 1, 'platform', 'SGD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference P4EZLS9DYY into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "P4EZLS9DYY", "swiftCode": "CRDRSGSG", "accountType": "SGD_ACCOUNT", "paymentRails": ["FAST", "PAYNOW", "BANK_TRANSFER"], "accountNumber": "3003830776"}}]', 'P4EZLS9DYY', '2026-11-22 03:55:20.51+00', '2026-11-22 03:55:20.51+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702d-bb00-65dacca81fd4', 1, 'platform', 'THB', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference V7KGXX9X8N into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "V7KGXX9X8N", "swiftCode": "CRDRTHBK", "accountType": "THB_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "8183877792"}}]', 'V7KGXX9X8N', '2026-11-22 03:55:20.511+00', '2026-11-22 03:55:20.511+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702e-aba5-3a03f531b0d3', 1, 'platform', 'VND', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference T3P4R8JCPM into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "T3P4R8JCPM", "swiftCode": "CRDRVNVX", "accountType": "VND_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "6618364469568"}}]', 'T3P4R8JCPM', '2026-11-22 03:55:20.512+00', '2026-11-22 03:55:20.512+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-702f-84f6-8943bcc37f24', 1, 'platform', 'HKD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference TBHEAU6RNA into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "TBHEAU6RNA", "swiftCode": "CRDRHKHH", "accountType": "HKD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "811859773954"}}]', 'TBHEAU6RNA', '2026-11-22 03:55:20.513+00', '2026-11-22 03:55:20.513+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7030-a215-69086d40694e', 1, 'platform', 'CNY', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference LE2FG8ZWCY into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "LE2FG8ZWCY", "accountType": "CNY_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "7767670856927299158"}}]', 'LE2FG8ZWCY', '2026-11-22 03:55:20.514+00', '2026-11-22 03:55:20.514+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7031-8079-19f233f47b21', 1, 'platform', 'AED', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference SLZ4GEBN92 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "AE209990269757765652859", "reference": "SLZ4GEBN92", "accountType": "AED_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'SLZ4GEBN92', '2026-11-22 03:55:20.515+00', '2026-11-22 03:55:20.515+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7032-a869-c8b5b8456ec4', 1, 'platform', 'ILS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 8HWDR9KZUE into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "IL599995948970253018871", "reference": "8HWDR9KZUE", "accountType": "ILS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', '8HWDR9KZUE', '2026-11-22 03:55:20.516+00', '2026-11-22 03:55:20.516+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7033-a7d0-a576f68bff75', 1, 'platform', 'EGP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference WUWMM638H9 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "EG949990427776126093157506141", "bankName": "Corridor Settlement Bank", "reference": "WUWMM638H9", "accountType": "EGP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'WUWMM638H9', '2026-11-22 03:55:20.517+00', '2026-11-22 03:55:20.517+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7034-b26f-46e9540ffa2b', 1, 'platform', 'NGN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 9QA7B6EPJB into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "9QA7B6EPJB", "accountType": "NGN_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "6401879030"}}]', '9QA7B6EPJB', '2026-11-22 03:55:20.518+00', '2026-11-22 03:55:20.518+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7035-9ac2-6c4e72e32c2b', 1, 'platform', 'GHS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 7PQPDHR3GU into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "7PQPDHR3GU", "accountType": "GHS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "7719174256015"}}]', '7PQPDHR3GU', '2026-11-22 03:55:20.519+00', '2026-11-22 03:55:20.519+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7036-ba17-37eb908d5be1', 1, 'platform', 'KES', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'ZRS282ZQ6Y', '2026-11-22 03:55:20.52+00', '2026-11-22 03:55:20.52+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7037-9068-b7ac4c0a4485', 1, 'platform', 'TZS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '8M2B93286P', '2026-11-22 03:55:20.521+00', '2026-11-22 03:55:20.521+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7038-a226-63708e2fa513', 1, 'platform', 'UGX', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'R6YT9X6JFV', '2026-11-22 03:55:20.522+00', '2026-11-22 03:55:20.522+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7039-a37c-dfb2ac1073af', 1, 'platform', 'RWF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'EDYA3RVKU4', '2026-11-22 03:55:20.523+00', '2026-11-22 03:55:20.523+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703a-a81f-455ba65eb0ad', 1, 'platform', 'ZMW', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'BVYAPTA276', '2026-11-22 03:55:20.524+00', '2026-11-22 03:55:20.524+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703b-8c9c-750440cac726', 1, 'platform', 'MWK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'MF2MVXQHXF', '2026-11-22 03:55:20.525+00', '2026-11-22 03:55:20.525+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703c-8dc9-5e46d059580c', 1, 'platform', 'BWP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'JWLBLV5MW3', '2026-11-22 03:55:20.526+00', '2026-11-22 03:55:20.526+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703d-bf6b-f2fe5227c689', 1, 'platform', 'ZAR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 42GBELBFTR into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "42GBELBFTR", "accountType": "ZAR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "63590010397"}}]', '42GBELBFTR', '2026-11-22 03:55:20.527+00', '2026-11-22 03:55:20.527+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703e-ad97-67dd5d69120f', 1, 'platform', 'XAF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'V3Z8CFDZ3T', '2026-11-22 03:55:20.528+00', '2026-11-22 03:55:20.528+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-703f-b90a-ee77d8fd7c3b', 1, 'platform', 'XOF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '24FLHMPWF7', '2026-11-22 03:55:20.529+00', '2026-11-22 03:55:20.529+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea2f-7040-bcda-a9f9b590e486', 1, 'platform', 'BTC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "spark1pgssyyypknsdstvaj7whwkmqdt3q6tqxdyshqec53drda4hhdwxm326yls30jn", "assetType": "BTC", "accountType": "SPARK_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "bc1qg4eeemn7askf5yvz2na4xn4etsuwuutzeugfew", "network": "BITCOIN", "accountType": "BITCOIN_L1"}}]', 'S7FHDSW2LA', '2026-11-22 03:55:20.53+00', '2026-11-22 03:55:20.53+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea30-703c-b10c-a6dbe42aff54', 1, 'platform', 'USDC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "GjWxnM8GEuw1sPTYqpgVZafDeFX5vdeW1UEEoHpXVx6g", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x95453fe23660a2681989435e6be6C755eD7fee3F", "assetType": "USDC", "accountType": "BASE_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x95453fe23660a2681989435e6be6C755eD7fee3F", "assetType": "USDC", "accountType": "POLYGON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x95453fe23660a2681989435e6be6C755eD7fee3F", "assetType": "USDC", "accountType": "ETHEREUM_WALLET"}}]', 'DAZ97VM2RA', '2026-11-22 03:55:20.531+00', '2026-11-22 03:55:20.531+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea32-702e-9ea3-61203bd0b4f6', 1, 'platform', 'USDT', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x83b405BCB5F2f7F6366fb9d0Eed1c0779de8D21D", "assetType": "USDT", "accountType": "ETHEREUM_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "TQfXfAjcKPAAXUH6kkBJXxNqJWwCdNStnH", "assetType": "USDT", "accountType": "TRON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x83b405BCB5F2f7F6366fb9d0Eed1c0779de8D21D", "assetType": "USDT", "accountType": "PLASMA_WALLET"}}]', 'FELEKD5P3M', '2026-11-22 03:55:20.532+00', '2026-11-22 03:55:20.532+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ea33-702f-9218-90b055cdfa01', 1, 'platform', 'USDB', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[]', '573UKNFE5J', '2026-11-22 03:55:20.533+00', '2026-11-22 03:55:20.533+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3c-700a-ad69-a39462ae0b62', 1, 'platform', 'USD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 48V86ZR7XS into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "48V86ZR7XS", "accountType": "US_ACCOUNT", "bankAddress": "1 Settlement Plaza, New York, NY 10005, US", "paymentRails": ["RTP", "FEDNOW", "ACH", "WIRE"], "accountNumber": "979383201166", "routingNumber": "099900014", "accountCategory": "CHECKING", "accountHolderName": "Corridor Client Funds"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "6LqAVSeszPZ7ayCbNkrm1HEJbyvYvfSA7cUsez4Z1xV1", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', '48V86ZR7XS', '2026-11-22 03:55:20.508+00', '2026-11-22 03:55:20.508+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-700c-adc2-fe6e4e314635', 1, 'platform', 'EUR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference MFVBTBV7SG into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "LU229992919047837751", "reference": "MFVBTBV7SG", "swiftCode": "CRDRLULL", "accountType": "EUR_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "2TtRz1BBs2MehaaqYTHsQBzh5yjPanZyua2brhYdJRBZ", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'MFVBTBV7SG', '2026-11-22 03:55:20.509+00', '2026-11-22 03:55:20.509+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-700d-bb8b-50408926b941', 1, 'platform', 'DKK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference JG5RZGKS6L into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "DK9699905418446193", "reference": "JG5RZGKS6L", "swiftCode": "CRDRDKKK", "accountType": "DKK_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "75YKzoB7bQRp9ZyxR2pajrDpcA77rU2UtQ3X9WmQociK", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'JG5RZGKS6L', '2026-11-22 03:55:20.51+00', '2026-11-22 03:55:20.51+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-700e-8f5f-01084d567bf8', 1, 'platform', 'GBP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 77EVP2TLCM into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"sortCode": "099901", "reference": "77EVP2TLCM", "accountType": "GBP_ACCOUNT", "paymentRails": ["FASTER_PAYMENTS"], "accountNumber": "96464807"}}]', '77EVP2TLCM', '2026-11-22 03:55:20.511+00', '2026-11-22 03:55:20.511+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-700f-981a-ed320848f56a', 1, 'platform', 'CAD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference SNXMUQ87CD into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankCode": "999", "bankName": "Corridor Settlement Bank", "reference": "SNXMUQ87CD", "branchCode": "00010", "accountType": "CAD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "191857193276"}}]', 'SNXMUQ87CD', '2026-11-22 03:55:20.512+00', '2026-11-22 03:55:20.512+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7010-b973-d8eb9dd57021', 1, 'platform', 'MXN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference D4VWYRRHQK into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"reference": "D4VWYRRHQK", "accountType": "MXN_ACCOUNT", "clabeNumber": "999180385059324881", "paymentRails": ["SPEI"]}}]', 'D4VWYRRHQK', '2026-11-22 03:55:20.513+00', '2026-11-22 03:55:20.513+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7038-8b65-c8e6c5b61598', 1, 'platform', 'ZMW', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '35NNESXQT9', '2026-11-22 03:55:20.563+00', '2026-11-22 03:55:20.563+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7011-b58e-ae2dde404efb', 1, 'platform', 'BRL', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"qrCode": "00020126580014br.gov.bcb.pix0136a0175f4a-84cd-4c76-8e4c-e89ecdfdd0ad5204000053039865802BR5921CORRIDOR CLIENT FUNDS6009SAO PAULO621405108A6KWSL7F363047FE5", "accountType": "BRL_ACCOUNT"}}]', '8A6KWSL7F3', '2026-11-22 03:55:20.514+00', '2026-11-22 03:55:20.514+00');
INSERT INTO public.internal_accounts VALUES
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7012-82c1-7413b05b0989', 1, 'platform', 'COP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"paymentUrl": "https://pay.corridor.example/cop/PY5DFYJUV2", "accountType": "COP_ACCOUNT"}}]', 'PY5DFYJUV2', '2026-11-22 03:55:20.515+00', '2026-11-22 03:55:20.515+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7013-aa64-312e8876af38', 1, 'platform', 'GTQ', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference YVPCEXMFJB into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "YVPCEXMFJB", "accountType": "GTQ_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "75035848167704", "bankAccountType": "CHECKING"}}]', 'YVPCEXMFJB', '2026-11-22 03:55:20.516+00', '2026-11-22 03:55:20.516+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7014-8459-7236277b5e02', 1, 'platform', 'HTG', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'X4BZBVQQF9', '2026-11-22 03:55:20.517+00', '2026-11-22 03:55:20.517+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7015-860e-3c84546a6ba0', 1, 'platform', 'JMD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference V94GDZ88M8 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "V94GDZ88M8", "branchCode": "99910", "accountType": "JMD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "0169617792", "bankAccountType": "CHECKING"}}]', 'V94GDZ88M8', '2026-11-22 03:55:20.518+00', '2026-11-22 03:55:20.518+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7016-b95a-db316fcb29ef', 1, 'platform', 'ARS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"accountType": "ARS_ACCOUNT", "accountNumber": "0009990757009564294801"}}]', '6ETQWRH2RB', '2026-11-22 03:55:20.519+00', '2026-11-22 03:55:20.519+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7017-a3fc-50565864f593', 1, 'platform', 'INR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"vpa": "corridor.egg2q3c587@crdr", "accountType": "INR_ACCOUNT", "paymentRails": ["UPI"]}}]', 'EGG2Q3C587', '2026-11-22 03:55:20.52+00', '2026-11-22 03:55:20.52+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7018-a6b9-cd7fba4be6ae', 1, 'platform', 'PKR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference UYF2DKKN32 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "PK07CRDR2342541572200435", "bankName": "Corridor Settlement Bank", "reference": "UYF2DKKN32", "accountType": "PKR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'UYF2DKKN32', '2026-11-22 03:55:20.521+00', '2026-11-22 03:55:20.521+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7019-96fb-eb7e309e6399', 1, 'platform', 'BDT', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 9CMVPFVC9N into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "9CMVPFVC9N", "branchCode": "99910", "accountType": "BDT_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "0841838390898"}}]', '9CMVPFVC9N', '2026-11-22 03:55:20.522+00', '2026-11-22 03:55:20.522+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701a-9360-682c13fd0fe4', 1, 'platform', 'PHP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference MJPWS938BY into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "MJPWS938BY", "accountType": "PHP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "875180478145"}}]', 'MJPWS938BY', '2026-11-22 03:55:20.523+00', '2026-11-22 03:55:20.523+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701b-9d3c-64215ee5d01f', 1, 'platform', 'IDR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference T4E2U4AR9D into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "T4E2U4AR9D", "swiftCode": "CRDRIDJA", "accountType": "IDR_ACCOUNT", "phoneNumber": "+622150999000", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "040714380701"}}]', 'T4E2U4AR9D', '2026-11-22 03:55:20.524+00', '2026-11-22 03:55:20.524+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701c-bce9-083c76a3220a', 1, 'platform', 'MYR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 4LUNL2NR5B into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "4LUNL2NR5B", "swiftCode": "CRDRMYKL", "accountType": "MYR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "333542419316"}}]', '4LUNL2NR5B', '2026-11-22 03:55:20.525+00', '2026-11-22 03:55:20.525+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701d-8f9b-c5d01e1997c8', 1, 'platform', 'SGD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference N9UABPBT5N into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "N9UABPBT5N", "swiftCode": "CRDRSGSG", "accountType": "SGD_ACCOUNT", "paymentRails": ["FAST", "PAYNOW", "BANK_TRANSFER"], "accountNumber": "7666005849"}}]', 'N9UABPBT5N', '2026-11-22 03:55:20.526+00', '2026-11-22 03:55:20.526+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701e-82a4-6ce085f842b8', 1, 'platform', 'THB', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 6LES5BU33G into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "6LES5BU33G", "swiftCode": "CRDRTHBK", "accountType": "THB_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "4533512108"}}]', '6LES5BU33G', '2026-11-22 03:55:20.527+00', '2026-11-22 03:55:20.527+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-701f-861a-18fae2f0118a', 1, 'platform', 'VND', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference JDNGXNRYYU into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "JDNGXNRYYU", "swiftCode": "CRDRVNVX", "accountType": "VND_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "9511059272140"}}]', 'JDNGXNRYYU', '2026-11-22 03:55:20.528+00', '2026-11-22 03:55:20.528+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7020-9070-341125aa80ef', 1, 'platform', 'HKD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference GL4ELJL4W6 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "GL4ELJL4W6", "swiftCode": "CRDRHKHH", "accountType": "HKD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "457461443841"}}]', 'GL4ELJL4W6', '2026-11-22 03:55:20.529+00', '2026-11-22 03:55:20.529+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7021-89b8-c77aa7be745f', 1, 'platform', 'CNY', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 53LY63HJ9P into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "53LY63HJ9P", "accountType": "CNY_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "5915208058986986459"}}]', '53LY63HJ9P', '2026-11-22 03:55:20.53+00', '2026-11-22 03:55:20.53+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7022-b65e-451741c0d5ec', 1, 'platform', 'AED', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference BZLSXXESDG into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "AE149996041727569158540", "reference": "BZLSXXESDG", "accountType": "AED_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'BZLSXXESDG', '2026-11-22 03:55:20.531+00', '2026-11-22 03:55:20.531+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7023-9b7e-a0aebb03081f', 1, 'platform', 'ILS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference X2XBQWNR32 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "IL169992735482339069726", "reference": "X2XBQWNR32", "accountType": "ILS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'X2XBQWNR32', '2026-11-22 03:55:20.532+00', '2026-11-22 03:55:20.532+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7024-bee8-e23764343d63', 1, 'platform', 'EGP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 267AFQQHZR into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "EG629990094862893654871432502", "bankName": "Corridor Settlement Bank", "reference": "267AFQQHZR", "accountType": "EGP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', '267AFQQHZR', '2026-11-22 03:55:20.533+00', '2026-11-22 03:55:20.533+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7025-858a-47395c87c6c7', 1, 'platform', 'NGN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference V2324WT4HB into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "V2324WT4HB", "accountType": "NGN_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "8705271547"}}]', 'V2324WT4HB', '2026-11-22 03:55:20.534+00', '2026-11-22 03:55:20.534+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7026-9601-116ccdb193fb', 1, 'platform', 'GHS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 8K49U72HVY into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "8K49U72HVY", "accountType": "GHS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "4086878047657"}}]', '8K49U72HVY', '2026-11-22 03:55:20.535+00', '2026-11-22 03:55:20.535+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7027-98e0-d3cc765d8352', 1, 'platform', 'KES', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'BBSHHV4X7A', '2026-11-22 03:55:20.536+00', '2026-11-22 03:55:20.536+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7028-886f-f7c0f3e1176d', 1, 'platform', 'TZS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'W6GS7T48KU', '2026-11-22 03:55:20.537+00', '2026-11-22 03:55:20.537+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7029-b5b6-55bccf13535e', 1, 'platform', 'UGX', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'TLLX2MCHY4', '2026-11-22 03:55:20.538+00', '2026-11-22 03:55:20.538+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702a-a822-ffbaf28ddbef', 1, 'platform', 'RWF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '8BV93PPBE4', '2026-11-22 03:55:20.539+00', '2026-11-22 03:55:20.539+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702b-be29-de3237397b4f', 1, 'platform', 'ZMW', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'AVRLAKNB2F', '2026-11-22 03:55:20.54+00', '2026-11-22 03:55:20.54+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702c-aad6-cbb1127cd9e8', 1, 'platform', 'MWK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '8WNV43US2E', '2026-11-22 03:55:20.541+00', '2026-11-22 03:55:20.541+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702d-b207-4112fa6e251b', 1, 'platform', 'BWP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'AU2KDZBWSS', '2026-11-22 03:55:20.542+00', '2026-11-22 03:55:20.542+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702e-80bc-bb65cf1326d1', 1, 'platform', 'ZAR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference XE9JH5ACMC into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "XE9JH5ACMC", "accountType": "ZAR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "84150911858"}}]', 'XE9JH5ACMC', '2026-11-22 03:55:20.543+00', '2026-11-22 03:55:20.543+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-702f-9f36-667d3d42e7c8', 1, 'platform', 'XAF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'P5749VEGTM', '2026-11-22 03:55:20.544+00', '2026-11-22 03:55:20.544+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7030-8600-e90aec531d0a', 1, 'platform', 'XOF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'J584P7QTVD', '2026-11-22 03:55:20.545+00', '2026-11-22 03:55:20.545+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7031-ad42-7e57d717fa53', 1, 'platform', 'BTC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "spark1pgssy5503ylceh8l954ykz2j70l505ppdrmamc8yrmvk3vhkfqdl7munz3zf8g", "assetType": "BTC", "accountType": "SPARK_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "bc1q7v7w2kl9e0dq72yd5e97uzflllfkhhnduv9nq4", "network": "BITCOIN", "accountType": "BITCOIN_L1"}}]', '4NKTCLYTBE', '2026-11-22 03:55:20.546+00', '2026-11-22 03:55:20.546+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3d-7032-944e-4bc9375c747d', 1, 'platform', 'USDC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "EYBxSLD7heMNfgZjjMPvgC4efpnVP6fE32b8KwtVZZF4", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x071925174A1A8FD7001986FA1F96BA6FD3bCb6BF", "assetType": "USDC", "accountType": "BASE_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x071925174A1A8FD7001986FA1F96BA6FD3bCb6BF", "assetType": "USDC", "accountType": "POLYGON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x071925174A1A8FD7001986FA1F96BA6FD3bCb6BF", "assetType": "USDC", "accountType": "ETHEREUM_WALLET"}}]', 'JQCF4LHE62', '2026-11-22 03:55:20.547+00', '2026-11-22 03:55:20.547+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea3e-7014-9082-76d726d43e94', 1, 'platform', 'USDT', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x395bDF86Db6f3fa521d1afCe74632D95a034b8B0", "assetType": "USDT", "accountType": "ETHEREUM_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "TWBJ8tsahKjRD2iGKeKgpp1MN1ZMsxi4Vx", "assetType": "USDT", "accountType": "TRON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x395bDF86Db6f3fa521d1afCe74632D95a034b8B0", "assetType": "USDT", "accountType": "PLASMA_WALLET"}}]', '87DUDCEFJP', '2026-11-22 03:55:20.548+00', '2026-11-22 03:55:20.548+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'InternalAccount:01a20164-ea41-7037-94a4-fcd4f56d6b33', 1, 'platform', 'USDB', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[]', '88J4PSRALA', '2026-11-22 03:55:20.549+00', '2026-11-22 03:55:20.549+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7018-b67a-eeac459b7e3b', 1, 'platform', 'USD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference MPY46GQVG3 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "MPY46GQVG3", "accountType": "US_ACCOUNT", "bankAddress": "1 Settlement Plaza, New York, NY 10005, US", "paymentRails": ["RTP", "FEDNOW", "ACH", "WIRE"], "accountNumber": "904505246503", "routingNumber": "099900014", "accountCategory": "CHECKING", "accountHolderName": "Corridor Client Funds"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "D3TZH1GWt31ayLWKjQfGbzh5EPVjmYEr83YVk8rgc1A1", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'MPY46GQVG3', '2026-11-22 03:55:20.531+00', '2026-11-22 03:55:20.531+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7019-938a-5f85abceb26a', 1, 'platform', 'EUR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference ZJ9Y2YEEGP into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "LU179995792332778151", "reference": "ZJ9Y2YEEGP", "swiftCode": "CRDRLULL", "accountType": "EUR_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "GJ4u5iJEDCKdUhNec3pAC1hdGh6YZrnea55X2N9FKibY", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'ZJ9Y2YEEGP', '2026-11-22 03:55:20.532+00', '2026-11-22 03:55:20.532+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701a-a0c1-1949bf1de6cf', 1, 'platform', 'DKK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference U6LG779XNQ into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "DK3799904532663528", "reference": "U6LG779XNQ", "swiftCode": "CRDRDKKK", "accountType": "DKK_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "fVW9TKFnBvpn58CYeVXFZZKWyD4fkzHkobT7EYZHv7J", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'U6LG779XNQ', '2026-11-22 03:55:20.533+00', '2026-11-22 03:55:20.533+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701b-b2d4-6ff39fc1bb04', 1, 'platform', 'GBP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference KCRMFQMM9F into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"sortCode": "099901", "reference": "KCRMFQMM9F", "accountType": "GBP_ACCOUNT", "paymentRails": ["FASTER_PAYMENTS"], "accountNumber": "42665118"}}]', 'KCRMFQMM9F', '2026-11-22 03:55:20.534+00', '2026-11-22 03:55:20.534+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701c-87d4-ba500ea02c30', 1, 'platform', 'CAD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference FN3SGJHJKC into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankCode": "999", "bankName": "Corridor Settlement Bank", "reference": "FN3SGJHJKC", "branchCode": "00010", "accountType": "CAD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "924952163380"}}]', 'FN3SGJHJKC', '2026-11-22 03:55:20.535+00', '2026-11-22 03:55:20.535+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701d-9c0c-bebccb3eadec', 1, 'platform', 'MXN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference VLQTHVG7UY into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"reference": "VLQTHVG7UY", "accountType": "MXN_ACCOUNT", "clabeNumber": "999180061461471950", "paymentRails": ["SPEI"]}}]', 'VLQTHVG7UY', '2026-11-22 03:55:20.536+00', '2026-11-22 03:55:20.536+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701e-b3ac-95463cc777a1', 1, 'platform', 'BRL', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"qrCode": "00020126580014br.gov.bcb.pix0136e930705d-c470-4f5b-8c69-21e36e8c34715204000053039865802BR5921CORRIDOR CLIENT FUNDS6009SAO PAULO621405103U7H97W8AY63044B39", "accountType": "BRL_ACCOUNT"}}]', '3U7H97W8AY', '2026-11-22 03:55:20.537+00', '2026-11-22 03:55:20.537+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-701f-8ffa-0156fc705b9c', 1, 'platform', 'COP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"paymentUrl": "https://pay.corridor.example/cop/ZS4EKHEZVS", "accountType": "COP_ACCOUNT"}}]', 'ZS4EKHEZVS', '2026-11-22 03:55:20.538+00', '2026-11-22 03:55:20.538+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7020-83c3-71332677a9d3', 1, 'platform', 'GTQ', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference Y9X9ABHAWH into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "Y9X9ABHAWH", "accountType": "GTQ_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "94954452582332", "bankAccountType": "CHECKING"}}]', 'Y9X9ABHAWH', '2026-11-22 03:55:20.539+00', '2026-11-22 03:55:20.539+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7021-8950-0164772df96e', 1, 'platform', 'HTG', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'CBBKM7RVB3', '2026-11-22 03:55:20.54+00', '2026-11-22 03:55:20.54+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7022-83d7-11307893677e', 1, 'platform', 'JMD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference U2YUUU5ZKP into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "U2YUUU5ZKP", "branchCode": "99910", "accountType": "JMD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "7126441557", "bankAccountType": "CHECKING"}}]', 'U2YUUU5ZKP', '2026-11-22 03:55:20.541+00', '2026-11-22 03:55:20.541+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7023-bfbb-dd972ae50b51', 1, 'platform', 'ARS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"accountType": "ARS_ACCOUNT", "accountNumber": "0009990717179772239645"}}]', '7DW2NDHH8U', '2026-11-22 03:55:20.542+00', '2026-11-22 03:55:20.542+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7024-8a10-3749101f22b1', 1, 'platform', 'INR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"vpa": "corridor.55snnhyhxn@crdr", "accountType": "INR_ACCOUNT", "paymentRails": ["UPI"]}}]', '55SNNHYHXN', '2026-11-22 03:55:20.543+00', '2026-11-22 03:55:20.543+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7025-a204-757cf7229298', 1, 'platform', 'PKR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference L47PFGWBEQ into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "PK55CRDR1541741711409779", "bankName": "Corridor Settlement Bank", "reference": "L47PFGWBEQ", "accountType": "PKR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'L47PFGWBEQ', '2026-11-22 03:55:20.544+00', '2026-11-22 03:55:20.544+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7026-be60-a8c68fd7f2ec', 1, 'platform', 'BDT', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference YSQ8UDTN9P into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "YSQ8UDTN9P", "branchCode": "99910", "accountType": "BDT_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "8271113850155"}}]', 'YSQ8UDTN9P', '2026-11-22 03:55:20.545+00', '2026-11-22 03:55:20.545+00');
INSERT INTO public.internal_accounts VALUES
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7027-a8df-e5a5ee84dc88', 1, 'platform', 'PHP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference EU99RY57D8 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "EU99RY57D8", "accountType": "PHP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "809859218213"}}]', 'EU99RY57D8', '2026-11-22 03:55:20.546+00', '2026-11-22 03:55:20.546+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7028-b833-938a0ae60314', 1, 'platform', 'IDR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 672GYWCP42 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "672GYWCP42", "swiftCode": "CRDRIDJA", "accountType": "IDR_ACCOUNT", "phoneNumber": "+622150999000", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "403137442885"}}]', '672GYWCP42', '2026-11-22 03:55:20.547+00', '2026-11-22 03:55:20.547+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7029-b6f3-6fd34bc761a9', 1, 'platform', 'MYR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 4Q4ASZP9E4 into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "4Q4ASZP9E4", "swiftCode": "CRDRMYKL", "accountType": "MYR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "858471044687"}}]', '4Q4ASZP9E4', '2026-11-22 03:55:20.548+00', '2026-11-22 03:55:20.548+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702a-98fd-013cced6a21a', 1, 'platform', 'SGD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference CZYDUWQR7M into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "CZYDUWQR7M", "swiftCode": "CRDRSGSG", "accountType": "SGD_ACCOUNT", "paymentRails": ["FAST", "PAYNOW", "BANK_TRANSFER"], "accountNumber": "8575925887"}}]', 'CZYDUWQR7M', '2026-11-22 03:55:20.549+00', '2026-11-22 03:55:20.549+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702b-91bb-d3eafcf83ce6', 1, 'platform', 'THB', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference E9PD5AAFKP into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "E9PD5AAFKP", "swiftCode": "CRDRTHBK", "accountType": "THB_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "7481979410"}}]', 'E9PD5AAFKP', '2026-11-22 03:55:20.55+00', '2026-11-22 03:55:20.55+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702c-8d2d-15d7d2cf41aa', 1, 'platform', 'VND', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference BCUEVWF4ZQ into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "BCUEVWF4ZQ", "swiftCode": "CRDRVNVX", "accountType": "VND_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "5322730116096"}}]', 'BCUEVWF4ZQ', '2026-11-22 03:55:20.551+00', '2026-11-22 03:55:20.551+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702d-b693-6064509f964c', 1, 'platform', 'HKD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference CMD3GUSJ4E into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "CMD3GUSJ4E", "swiftCode": "CRDRHKHH", "accountType": "HKD_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "611859107583"}}]', 'CMD3GUSJ4E', '2026-11-22 03:55:20.552+00', '2026-11-22 03:55:20.552+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702e-841c-337ed76bf939', 1, 'platform', 'CNY', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference XUKAX8N4WN into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "XUKAX8N4WN", "accountType": "CNY_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "8284019678199930136"}}]', 'XUKAX8N4WN', '2026-11-22 03:55:20.553+00', '2026-11-22 03:55:20.553+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-702f-8a43-cdd6e553013a', 1, 'platform', 'AED', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference P62Y7ANY3J into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "AE319991068441250235295", "reference": "P62Y7ANY3J", "accountType": "AED_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'P62Y7ANY3J', '2026-11-22 03:55:20.554+00', '2026-11-22 03:55:20.554+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7030-ba6d-e0cecfe89a07', 1, 'platform', 'ILS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference XRWK9ZEVGR into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "IL079994149440087668184", "reference": "XRWK9ZEVGR", "accountType": "ILS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'XRWK9ZEVGR', '2026-11-22 03:55:20.555+00', '2026-11-22 03:55:20.555+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7031-b48d-cc528dd012f2', 1, 'platform', 'EGP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference PZADEEWCYH into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"iban": "EG129990585348862805321626538", "bankName": "Corridor Settlement Bank", "reference": "PZADEEWCYH", "accountType": "EGP_ACCOUNT", "paymentRails": ["BANK_TRANSFER"]}}]', 'PZADEEWCYH', '2026-11-22 03:55:20.556+00', '2026-11-22 03:55:20.556+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7032-abea-58f40b02e1dd', 1, 'platform', 'NGN', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference WNCQEQPA8G into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "WNCQEQPA8G", "accountType": "NGN_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "5281978469"}}]', 'WNCQEQPA8G', '2026-11-22 03:55:20.557+00', '2026-11-22 03:55:20.557+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7033-9ee2-aba4d209e882', 1, 'platform', 'GHS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference VYSQZ46PAT into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "VYSQZ46PAT", "accountType": "GHS_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "0436881465332"}}]', 'VYSQZ46PAT', '2026-11-22 03:55:20.558+00', '2026-11-22 03:55:20.558+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7034-bcc4-e1ade4ce0622', 1, 'platform', 'KES', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '5RA8RUXDLV', '2026-11-22 03:55:20.559+00', '2026-11-22 03:55:20.559+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7035-8598-3e9ea7be1458', 1, 'platform', 'TZS', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'LAA4ZHYQ8B', '2026-11-22 03:55:20.56+00', '2026-11-22 03:55:20.56+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7036-9c0a-fc09e8f0c6ab', 1, 'platform', 'UGX', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'L2UYGJQ2RH', '2026-11-22 03:55:20.561+00', '2026-11-22 03:55:20.561+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7037-9bf6-28d21adf8456', 1, 'platform', 'RWF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'ZC2Z3KZEH2', '2026-11-22 03:55:20.562+00', '2026-11-22 03:55:20.562+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-7039-bd83-bc94fcf9cd00', 1, 'platform', 'MWK', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '9TGMVLZGLU', '2026-11-22 03:55:20.564+00', '2026-11-22 03:55:20.564+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-703a-b3a2-3f3554ff618a', 1, 'platform', 'BWP', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'BTD3QLXVHJ', '2026-11-22 03:55:20.565+00', '2026-11-22 03:55:20.565+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-703b-a59f-cb69f01370d0', 1, 'platform', 'ZAR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference SP5CSBJSZU into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": true, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "SP5CSBJSZU", "accountType": "ZAR_ACCOUNT", "paymentRails": ["BANK_TRANSFER"], "accountNumber": "24125630038"}}]', 'SP5CSBJSZU', '2026-11-22 03:55:20.566+00', '2026-11-22 03:55:20.566+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-703c-81f3-27e2e06aa458', 1, 'platform', 'XAF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', '4K86VQA5PQ', '2026-11-22 03:55:20.567+00', '2026-11-22 03:55:20.567+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-703d-a99c-a761885a3e40', 1, 'platform', 'XOF', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[]', 'TS5ULLP9JR', '2026-11-22 03:55:20.568+00', '2026-11-22 03:55:20.568+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea54-703e-97c4-01b87892932b', 1, 'platform', 'BTC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "spark1pgss98r0sdzyuh5076y5m66rn783gm0dkrmuk85dde9jymj9py0tgk2378zx52", "assetType": "BTC", "accountType": "SPARK_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "bc1qmajhncrdek6p2c8ssxzg4q3hctpaw5zh8grqtz", "network": "BITCOIN", "accountType": "BITCOIN_L1"}}]', 'XAC88ZEY4P', '2026-11-22 03:55:20.569+00', '2026-11-22 03:55:20.569+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea55-703b-bba2-0e50aa532c08', 1, 'platform', 'USDC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "9xKcKDbY2P73kRyynmkK9UYbYrpbw9stVW7jTv4biJ6u", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0xa9Eae8de74a5E2DA0b2e99740FF875127172Dd30", "assetType": "USDC", "accountType": "BASE_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0xa9Eae8de74a5E2DA0b2e99740FF875127172Dd30", "assetType": "USDC", "accountType": "POLYGON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0xa9Eae8de74a5E2DA0b2e99740FF875127172Dd30", "assetType": "USDC", "accountType": "ETHEREUM_WALLET"}}]', 'TS6ZZCA4ED', '2026-11-22 03:55:20.57+00', '2026-11-22 03:55:20.57+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea55-703c-93eb-3ffaadffe333', 1, 'platform', 'USDT', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x9124f48a49217A2B5d07cA0BB4c696D3FBF5f83b", "assetType": "USDT", "accountType": "ETHEREUM_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "TUr8MuMzfPzuvFmg4qTsV3KCSJz1hVWQYT", "assetType": "USDT", "accountType": "TRON_WALLET"}}, {"isPlatformAccount": true, "accountOrWalletInfo": {"address": "0x9124f48a49217A2B5d07cA0BB4c696D3FBF5f83b", "assetType": "USDT", "accountType": "PLASMA_WALLET"}}]', 'GVP9AQDGN8', '2026-11-22 03:55:20.571+00', '2026-11-22 03:55:20.571+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'InternalAccount:01a20164-ea55-703d-9694-8a600f389c23', 1, 'platform', 'USDB', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[]', '7767TGT5Q6', '2026-11-22 03:55:20.572+00', '2026-11-22 03:55:20.572+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'USD', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference ASMTSQXTFE into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": false, "accountOrWalletInfo": {"bankName": "Corridor Settlement Bank", "reference": "ASMTSQXTFE", "accountType": "US_ACCOUNT", "bankAddress": "1 Settlement Plaza, New York, NY 10005, US", "paymentRails": ["RTP", "FEDNOW", "ACH", "WIRE"], "accountNumber": "912861670868", "routingNumber": "099900014", "accountCategory": "CHECKING", "accountHolderName": "Corridor Client Funds"}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "6YM9eyCCcj99FKEWnh5PAACxMA2dbMF6FVH2oHyLNTP4", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', 'ASMTSQXTFE', '2026-11-22 03:55:21.862+00', '2026-11-22 03:55:21.862+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ef8c-7036-a16a-6c140fde8437', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'EUR', 'INTERNAL_FIAT', 'ACTIVE', NULL, '[{"instructionsNotes": "Put the reference 5X6M24S68M into the payment, or it cannot be matched to Corridor Client Funds.", "isPlatformAccount": false, "accountOrWalletInfo": {"iban": "LU889997093469559772", "reference": "5X6M24S68M", "swiftCode": "CRDRLULL", "accountType": "EUR_ACCOUNT", "paymentRails": ["SEPA_INSTANT", "SEPA"]}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "3qbfz5kasJJX3yC67HGu2Vb94y8Mq1rBb98ttvXF1KNH", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}]', '5X6M24S68M', '2026-11-22 03:55:21.863+00', '2026-11-22 03:55:21.863+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ef8c-7037-8efb-4c371cf2072f', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'BTC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": false, "accountOrWalletInfo": {"address": "spark1pgss9rl56h44tmfcevhg7gkfa0xquyukw37y95rfs5vd938q8v8zr52tep2uxk", "assetType": "BTC", "accountType": "SPARK_WALLET"}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "bc1qwm6hmsrxx55drkspu60623v8qs6gnvmfpj4czs", "network": "BITCOIN", "accountType": "BITCOIN_L1"}}]', 'ZYQYN8TC86', '2026-11-22 03:55:21.864+00', '2026-11-22 03:55:21.864+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ef8c-7038-a9c7-33687fcb91cf', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'USDC', 'INTERNAL_CRYPTO', 'ACTIVE', NULL, '[{"isPlatformAccount": false, "accountOrWalletInfo": {"address": "827VEo1U7YJxLHqiCWqNT1W7W7L1GJhPpHndJMPeZ6sx", "assetType": "USDC", "accountType": "SOLANA_WALLET"}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "0x3B59023923611e952003b5D4B13D448841c4D415", "assetType": "USDC", "accountType": "BASE_WALLET"}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "0x3B59023923611e952003b5D4B13D448841c4D415", "assetType": "USDC", "accountType": "POLYGON_WALLET"}}, {"isPlatformAccount": false, "accountOrWalletInfo": {"address": "0x3B59023923611e952003b5D4B13D448841c4D415", "assetType": "USDC", "accountType": "ETHEREUM_WALLET"}}]', 'AEEA8RZRBG', '2026-11-22 03:55:21.865+00', '2026-11-22 03:55:21.865+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'InternalAccount:01a20164-ef8c-7039-847d-ddfdf0293c26', 1, 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', 'USDB', 'EMBEDDED_WALLET', 'ACTIVE', false, '[]', '4DQQPEUJ59', '2026-11-22 03:55:21.866+00', '2026-11-22 03:55:21.866+00');
INSERT INTO public.jobs VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f09a-7011-9279-c32637bb6117', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f030-7031-9a1f-7383296a8b6e"}', 'Webhook:01a20164-f030-7031-9a1f-7383296a8b6e 2', '2026-11-22 03:55:27.823+00', '2026-11-22 03:55:27.823+00', 0, NULL, NULL, '2026-11-22 03:55:22.137+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f09c-7029-bf5e-7ff97c6f982b', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f030-7030-a5ea-a520f2755638"}', 'Webhook:01a20164-f030-7030-a5ea-a520f2755638 2', '2026-11-22 03:55:27.912+00', '2026-11-22 03:55:27.912+00', 0, NULL, NULL, '2026-11-22 03:55:22.137+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f120-7015-8ce5-9dd5f698088e', 'payments.advance', 1, '{"transactionId": "Transaction:01a20164-f100-7006-980e-4f7d53473da6"}', 'Transaction:01a20164-f100-7006-980e-4f7d53473da6', '2026-11-22 04:12:02.259+00', '2026-11-22 04:12:02.259+00', 0, NULL, NULL, '2026-11-22 03:55:22.26+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f131-7011-aa2b-09e22db11ff4', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f120-7017-866c-79b4164a0306"}', 'Webhook:01a20164-f120-7017-866c-79b4164a0306 2', '2026-11-22 03:55:27.016+00', '2026-11-22 03:55:27.016+00', 0, NULL, NULL, '2026-11-22 03:55:22.287+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f133-702c-b4bd-963db386c692', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f120-7016-9575-dcdf00ed224f"}', 'Webhook:01a20164-f120-7016-9575-dcdf00ed224f 2', '2026-11-22 03:55:28.155+00', '2026-11-22 03:55:28.155+00', 0, NULL, NULL, '2026-11-22 03:55:22.287+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f143-703b-81c6-a776c236a3e3', 'payments.advance', 1, '{"transactionId": "Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa"}', 'Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa', '2026-11-22 04:12:02.3+00', '2026-11-22 04:12:02.3+00', 0, NULL, NULL, '2026-11-22 03:55:22.301+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f14d-7008-ae4f-4eae178a52ac', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f143-703d-96f5-401344f2a842"}', 'Webhook:01a20164-f143-703d-96f5-401344f2a842 2', '2026-11-22 03:55:28.086+00', '2026-11-22 03:55:28.086+00', 0, NULL, NULL, '2026-11-22 03:55:22.316+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f150-7015-927a-901cc06e8f5d', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f143-703c-bf15-35ff934d12a2"}', 'Webhook:01a20164-f143-703c-bf15-35ff934d12a2 2', '2026-11-22 03:55:27.033+00', '2026-11-22 03:55:27.033+00', 0, NULL, NULL, '2026-11-22 03:55:22.316+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f15a-7030-9883-565adfb9c196', 'payments.advance', 1, '{"transactionId": "Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1"}', 'Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1', '2026-11-22 04:12:02.323+00', '2026-11-22 04:12:02.323+00', 0, NULL, NULL, '2026-11-22 03:55:22.324+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f165-7031-a5de-6216eb94c7e8', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f15a-7032-8bae-07cd8858c309"}', 'Webhook:01a20164-f15a-7032-8bae-07cd8858c309 2', '2026-11-22 03:55:27.888+00', '2026-11-22 03:55:27.888+00', 0, NULL, NULL, '2026-11-22 03:55:22.34+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '01a20164-f169-7009-943f-f7e5c5048fe4', 'webhooks.deliver', 1, '{"attempt": 2, "eventId": "Webhook:01a20164-f15a-7031-b0f0-80a7de666b2e"}', 'Webhook:01a20164-f15a-7031-b0f0-80a7de666b2e 2', '2026-11-22 03:55:27.032+00', '2026-11-22 03:55:27.032+00', 0, NULL, NULL, '2026-11-22 03:55:22.34+00');
INSERT INTO public.ledger_accounts VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'rail:sandbox:USD', 'USD', 100000, 0, 0, 0, false, '2026-11-22 03:55:22.025+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'txn:Transaction:01a20164-f100-7006-980e-4f7d53473da6:USD', 'USD', 0, 10000, 0, 0, true, '2026-11-22 03:55:22.26+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'txn:Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa:USD', 'USD', 0, 10000, 0, 0, true, '2026-11-22 03:55:22.301+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'avail:InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'USD', 30000, 100000, 0, 0, true, '2026-11-22 03:55:22.324+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'txn:Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1:USD', 'USD', 0, 10000, 0, 0, true, '2026-11-22 03:55:22.324+00');
INSERT INTO public.ledger_transfers VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f029-7022-bb24-8f8b107ae4df/deposit/0', 'POSTED', 'rail:sandbox:USD', 'avail:InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'USD', 100000, NULL, '2026-11-22 03:55:22.025+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f100-7006-980e-4f7d53473da6/execute/0', 'POSTED', 'avail:InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'txn:Transaction:01a20164-f100-7006-980e-4f7d53473da6:USD', 'USD', 10000, NULL, '2026-11-22 03:55:22.26+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa/execute/0', 'POSTED', 'avail:InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'txn:Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa:USD', 'USD', 10000, NULL, '2026-11-22 03:55:22.301+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1/execute/0', 'POSTED', 'avail:InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'txn:Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1:USD', 'USD', 10000, NULL, '2026-11-22 03:55:22.324+00');
INSERT INTO public.platform_configs VALUES
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'PlatformConfig:01a20164-ea39-7022-b469-7744e6363beb', 1, 'breeze.uma.corridor.example', NULL, '[{"maxAmount": 100000000, "minAmount": 1, "currencyCode": "USD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 86000000, "minAmount": 1, "currencyCode": "EUR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 642000000, "minAmount": 1, "currencyCode": "DKK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 75500000, "minAmount": 1, "currencyCode": "GBP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 139000000, "minAmount": 1, "currencyCode": "CAD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1820000000, "minAmount": 1, "currencyCode": "MXN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 535000000, "minAmount": 1, "currencyCode": "BRL", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 385000000000, "minAmount": 1, "currencyCode": "COP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 766000000, "minAmount": 1, "currencyCode": "GTQ", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 13100000000, "minAmount": 1, "currencyCode": "HTG", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 16050000000, "minAmount": 1, "currencyCode": "JMD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "ARS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 8900000000, "minAmount": 1, "currencyCode": "INR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 28100000000, "minAmount": 1, "currencyCode": "PKR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12200000000, "minAmount": 1, "currencyCode": "BDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 5850000000, "minAmount": 1, "currencyCode": "PHP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1665000000000, "minAmount": 1, "currencyCode": "IDR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 415000000, "minAmount": 1, "currencyCode": "MYR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 129500000, "minAmount": 1, "currencyCode": "SGD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3240000000, "minAmount": 1, "currencyCode": "THB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 26300000000, "minAmount": 1, "currencyCode": "VND", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 778000000, "minAmount": 1, "currencyCode": "HKD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 710000000, "minAmount": 1, "currencyCode": "CNY", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 367250000, "minAmount": 1, "currencyCode": "AED", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 328000000, "minAmount": 1, "currencyCode": "ILS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 4750000000, "minAmount": 1, "currencyCode": "EGP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "NGN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1120000000, "minAmount": 1, "currencyCode": "GHS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12920000000, "minAmount": 1, "currencyCode": "KES", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 246000000000, "minAmount": 1, "currencyCode": "TZS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3580000000, "minAmount": 1, "currencyCode": "UGX", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1455000000, "minAmount": 1, "currencyCode": "RWF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 2260000000, "minAmount": 1, "currencyCode": "ZMW", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 173500000000, "minAmount": 1, "currencyCode": "MWK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1340000000, "minAmount": 1, "currencyCode": "BWP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1720000000, "minAmount": 1, "currencyCode": "ZAR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XAF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XOF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1052631579, "minAmount": 1, "currencyCode": "BTC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}]', '[]', NULL, NULL, '2026-11-22 03:55:20.508+00', '2026-11-22 03:55:20.508+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'PlatformConfig:01a20164-ea47-7028-b197-5137c15c4655', 1, 'civic.uma.corridor.example', NULL, '[{"maxAmount": 100000000, "minAmount": 1, "currencyCode": "USD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 86000000, "minAmount": 1, "currencyCode": "EUR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 642000000, "minAmount": 1, "currencyCode": "DKK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 75500000, "minAmount": 1, "currencyCode": "GBP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 139000000, "minAmount": 1, "currencyCode": "CAD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1820000000, "minAmount": 1, "currencyCode": "MXN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 535000000, "minAmount": 1, "currencyCode": "BRL", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 385000000000, "minAmount": 1, "currencyCode": "COP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 766000000, "minAmount": 1, "currencyCode": "GTQ", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 13100000000, "minAmount": 1, "currencyCode": "HTG", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 16050000000, "minAmount": 1, "currencyCode": "JMD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "ARS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 8900000000, "minAmount": 1, "currencyCode": "INR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 28100000000, "minAmount": 1, "currencyCode": "PKR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12200000000, "minAmount": 1, "currencyCode": "BDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 5850000000, "minAmount": 1, "currencyCode": "PHP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1665000000000, "minAmount": 1, "currencyCode": "IDR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 415000000, "minAmount": 1, "currencyCode": "MYR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 129500000, "minAmount": 1, "currencyCode": "SGD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3240000000, "minAmount": 1, "currencyCode": "THB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 26300000000, "minAmount": 1, "currencyCode": "VND", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 778000000, "minAmount": 1, "currencyCode": "HKD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 710000000, "minAmount": 1, "currencyCode": "CNY", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 367250000, "minAmount": 1, "currencyCode": "AED", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 328000000, "minAmount": 1, "currencyCode": "ILS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 4750000000, "minAmount": 1, "currencyCode": "EGP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "NGN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1120000000, "minAmount": 1, "currencyCode": "GHS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12920000000, "minAmount": 1, "currencyCode": "KES", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 246000000000, "minAmount": 1, "currencyCode": "TZS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3580000000, "minAmount": 1, "currencyCode": "UGX", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1455000000, "minAmount": 1, "currencyCode": "RWF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 2260000000, "minAmount": 1, "currencyCode": "ZMW", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 173500000000, "minAmount": 1, "currencyCode": "MWK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1340000000, "minAmount": 1, "currencyCode": "BWP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1720000000, "minAmount": 1, "currencyCode": "ZAR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XAF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XOF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1052631579, "minAmount": 1, "currencyCode": "BTC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}]', '[]', NULL, NULL, '2026-11-22 03:55:20.531+00', '2026-11-22 03:55:20.531+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'PlatformConfig:01a20164-ea25-700b-9cb5-631babb2f76f', 2, 'acme.uma.corridor.example', 'http://localhost:1/webhooks', '[{"maxAmount": 100000000, "minAmount": 1, "currencyCode": "USD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 86000000, "minAmount": 1, "currencyCode": "EUR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 642000000, "minAmount": 1, "currencyCode": "DKK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 75500000, "minAmount": 1, "currencyCode": "GBP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 139000000, "minAmount": 1, "currencyCode": "CAD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1820000000, "minAmount": 1, "currencyCode": "MXN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 535000000, "minAmount": 1, "currencyCode": "BRL", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 385000000000, "minAmount": 1, "currencyCode": "COP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 766000000, "minAmount": 1, "currencyCode": "GTQ", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 13100000000, "minAmount": 1, "currencyCode": "HTG", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 16050000000, "minAmount": 1, "currencyCode": "JMD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "ARS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 8900000000, "minAmount": 1, "currencyCode": "INR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 28100000000, "minAmount": 1, "currencyCode": "PKR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12200000000, "minAmount": 1, "currencyCode": "BDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 5850000000, "minAmount": 1, "currencyCode": "PHP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1665000000000, "minAmount": 1, "currencyCode": "IDR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 415000000, "minAmount": 1, "currencyCode": "MYR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 129500000, "minAmount": 1, "currencyCode": "SGD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3240000000, "minAmount": 1, "currencyCode": "THB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 26300000000, "minAmount": 1, "currencyCode": "VND", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 778000000, "minAmount": 1, "currencyCode": "HKD", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 710000000, "minAmount": 1, "currencyCode": "CNY", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 367250000, "minAmount": 1, "currencyCode": "AED", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 328000000, "minAmount": 1, "currencyCode": "ILS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 4750000000, "minAmount": 1, "currencyCode": "EGP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 145000000000, "minAmount": 1, "currencyCode": "NGN", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1120000000, "minAmount": 1, "currencyCode": "GHS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 12920000000, "minAmount": 1, "currencyCode": "KES", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 246000000000, "minAmount": 1, "currencyCode": "TZS", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 3580000000, "minAmount": 1, "currencyCode": "UGX", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1455000000, "minAmount": 1, "currencyCode": "RWF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 2260000000, "minAmount": 1, "currencyCode": "ZMW", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 173500000000, "minAmount": 1, "currencyCode": "MWK", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1340000000, "minAmount": 1, "currencyCode": "BWP", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1720000000, "minAmount": 1, "currencyCode": "ZAR", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XAF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 564120000, "minAmount": 1, "currencyCode": "XOF", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1052631579, "minAmount": 1, "currencyCode": "BTC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDC", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDT", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}, {"maxAmount": 1000000000000, "minAmount": 1, "currencyCode": "USDB", "enabledTransactionTypes": ["OUTGOING", "INCOMING"], "requiredCounterpartyFields": []}]', '[]', NULL, NULL, '2026-11-22 03:55:20.492+00', '2026-11-22 03:55:21.822+00');
INSERT INTO public.platforms VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'acme', false, false, '2026-11-22 03:55:20.484+00'),
	('01a20164-ea39-7022-b469-7744e6363beb', 'breeze', false, true, '2026-11-22 03:55:20.505+00'),
	('01a20164-ea47-7028-b197-5137c15c4655', 'civic', true, false, '2026-11-22 03:55:20.518+00');
INSERT INTO public.quotes VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Quote:01a20164-f100-7006-980e-4f7d53473da6', 2, 'PROCESSING', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '{"accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db', 'USD', 'PHP', 10000, 582075, '{"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}', '0.017094017', '{"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}', NULL, NULL, '{"funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "shownRail": "BANK_TRANSFER", "settlement": {"expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "sendingEurMinor": "8600", "sendingUsdMinor": "10000", "feesIncludedMinor": "50", "railSelectionMode": "AUTO", "platformCustomerId": "01a20164-ef8b-7006-a701-09131927f1f1", "transactionReference": "REF-NXSCU32ANU", "platformFeesIncludedMinor": "0"}', '2026-11-22 03:55:22.239+00', '2026-11-22 03:55:22.26+00', '2026-11-22 04:00:22.239+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Quote:01a20164-f12d-7030-9c4e-18ee3ab682aa', 2, 'PROCESSING', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '{"accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db', 'USD', 'PHP', 10000, 582075, '{"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}', '0.017094017', '{"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}', NULL, NULL, '{"funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "shownRail": "BANK_TRANSFER", "settlement": {"expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "sendingEurMinor": "8600", "sendingUsdMinor": "10000", "feesIncludedMinor": "50", "railSelectionMode": "AUTO", "platformCustomerId": "01a20164-ef8b-7006-a701-09131927f1f1", "transactionReference": "REF-BNRWH89HJR", "platformFeesIncludedMinor": "0"}', '2026-11-22 03:55:22.285+00', '2026-11-22 03:55:22.301+00', '2026-11-22 04:00:22.285+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Quote:01a20164-f165-7030-8a95-e7214e40d50b', 1, 'PENDING', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '{"accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db', 'USD', 'PHP', 10000, 582075, '{"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}', '0.017094017', '{"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}', NULL, NULL, '{"funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "shownRail": "BANK_TRANSFER", "settlement": {"expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "sendingEurMinor": "8600", "sendingUsdMinor": "10000", "feesIncludedMinor": "50", "railSelectionMode": "AUTO", "platformCustomerId": "01a20164-ef8b-7006-a701-09131927f1f1", "transactionReference": "REF-DBLSKFNKHV", "platformFeesIncludedMinor": "0"}', '2026-11-22 03:55:22.341+00', '2026-11-22 03:55:22.341+00', '2026-11-22 04:00:22.341+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Quote:01a20164-f149-7016-9bbb-fddfc6c046c1', 2, 'PROCESSING', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '{"accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', 'InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947', 'ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db', 'USD', 'PHP', 10000, 582075, '{"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}', '0.017094017', '{"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}', NULL, NULL, '{"funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "shownRail": "BANK_TRANSFER", "settlement": {"expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "sendingEurMinor": "8600", "sendingUsdMinor": "10000", "feesIncludedMinor": "50", "railSelectionMode": "AUTO", "platformCustomerId": "01a20164-ef8b-7006-a701-09131927f1f1", "transactionReference": "REF-NXUJ2QMUAT", "platformFeesIncludedMinor": "0"}', '2026-11-22 03:55:22.313+00', '2026-11-22 03:55:22.324+00', '2026-11-22 04:00:22.313+00');
INSERT INTO public.tokens VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Token:01a20164-ea24-702c-8653-b44fc5128f50', 1, 'First token', '9f0a318539739ca5e4b8bd8baeaa6c', 'cz-mPWAkwtelUut0QkwHa0JUfgeTYtXSObTKg4hX6Hs', '{VIEW,TRANSACT,MANAGE}', '2026-11-22 03:55:20.484+00', '2026-11-22 03:55:20.484+00', NULL),
	('01a20164-ea39-7022-b469-7744e6363beb', 'SANDBOX', 'Token:01a20164-ea39-7021-ac61-f9349fa9271e', 1, 'First token', '81b944963a44a21b33874571ef0ec6', 'Q5ox241XTKqSp7DJJ3dq1j8PDwMwsFSF1XV-9kBSTyY', '{VIEW,TRANSACT,MANAGE}', '2026-11-22 03:55:20.505+00', '2026-11-22 03:55:20.505+00', NULL),
	('01a20164-ea47-7028-b197-5137c15c4655', 'SANDBOX', 'Token:01a20164-ea46-7037-bbc0-e7cc756ffb91', 1, 'First token', '8d353892d7caf7523f971073c54f15', 'uXjZVFfcThMa1PHsP888nh65Yhegzl-5zzbfX-FshbI', '{VIEW,TRANSACT,MANAGE}', '2026-11-22 03:55:20.518+00', '2026-11-22 03:55:20.518+00', NULL);
INSERT INTO public.transactions VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f029-7022-bb24-8f8b107ae4df', 1, 'COMPLETED', 'INCOMING', 'CREDIT', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '01a20164-ef8b-7006-a701-09131927f1f1', NULL, 100000, 'USD', 100000, 'USD', '{"currency": "USD", "sourceType": "REALTIME_FUNDING"}', '{"currency": "USD", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "destinationType": "ACCOUNT"}', '{}', '{InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947}', 'REF-QCZ7DSQ2T6', NULL, NULL, NULL, NULL, '{"kind": "DEPOSIT", "stage": "DONE", "amounts": {"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "100000", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "100000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "100000", "serviceVariableMinor": "0", "platformVariableMinor": "0"}, "funding": {"kind": "REALTIME", "rail": "sandbox", "isCrypto": false}, "delivery": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "isImmediate": true}', '{}', '2026-11-22 03:55:22.025+00', '2026-11-22 03:55:22.025+00', '2026-11-22 03:55:22.025+00'),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f100-7006-980e-4f7d53473da6', 1, 'PENDING', 'OUTGOING', 'DEBIT', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '01a20164-ef8b-7006-a701-09131927f1f1', 'Quote:01a20164-f100-7006-980e-4f7d53473da6', 10000, 'USD', 582075, 'PHP', '{"currency": "USD", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"currency": "PHP", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', '{InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947}', '{ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db}', 'REF-NXSCU32ANU', NULL, NULL, NULL, 'BANK_TRANSFER', '{"kind": "QUOTE", "stage": "SUBMIT_PAYOUT", "volume": {"counter": "2026-11-22/USD-PHP", "usdMinor": "10000"}, "amounts": {"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}, "funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "isImmediate": false, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}}', '{"feesMinor": "50", "rateDetails": {"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}, "exchangeRate": 0.017094017, "platformFeesMinor": "0", "railSelectionMode": "AUTO", "expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}', '2026-11-22 03:55:22.26+00', '2026-11-22 03:55:22.26+00', NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f12d-7030-9c4e-18ee3ab682aa', 1, 'PENDING', 'OUTGOING', 'DEBIT', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '01a20164-ef8b-7006-a701-09131927f1f1', 'Quote:01a20164-f12d-7030-9c4e-18ee3ab682aa', 10000, 'USD', 582075, 'PHP', '{"currency": "USD", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"currency": "PHP", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', '{InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947}', '{ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db}', 'REF-BNRWH89HJR', NULL, NULL, NULL, 'BANK_TRANSFER', '{"kind": "QUOTE", "stage": "SUBMIT_PAYOUT", "volume": {"counter": "2026-11-22/USD-PHP", "usdMinor": "10000"}, "amounts": {"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}, "funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "isImmediate": false, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}}', '{"feesMinor": "50", "rateDetails": {"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}, "exchangeRate": 0.017094017, "platformFeesMinor": "0", "railSelectionMode": "AUTO", "expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}', '2026-11-22 03:55:22.301+00', '2026-11-22 03:55:22.301+00', NULL),
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', 'Transaction:01a20164-f149-7016-9bbb-fddfc6c046c1', 1, 'PENDING', 'OUTGOING', 'DEBIT', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823', '01a20164-ef8b-7006-a701-09131927f1f1', 'Quote:01a20164-f149-7016-9bbb-fddfc6c046c1', 10000, 'USD', 582075, 'PHP', '{"currency": "USD", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947", "sourceType": "ACCOUNT"}', '{"currency": "PHP", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db", "destinationType": "ACCOUNT"}', '{InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947}', '{ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db}', 'REF-NXUJ2QMUAT', NULL, NULL, NULL, 'BANK_TRANSFER', '{"kind": "QUOTE", "stage": "SUBMIT_PAYOUT", "volume": {"counter": "2026-11-22/USD-PHP", "usdMinor": "10000"}, "amounts": {"fxSurplusMinor": "0", "networkFeeMinor": "0", "netConvertedMinor": "9950", "serviceFixedMinor": "0", "platformFixedMinor": "0", "sendingAmountMinor": "10000", "counterpartyFeeMinor": "0", "receivingAmountMinor": "582075", "serviceVariableMinor": "50", "platformVariableMinor": "0"}, "funding": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}, "delivery": {"kind": "EXTERNAL", "rail": "BANK_TRANSFER", "accountId": "ExternalAccount:01a20164-f096-701b-819c-9b24ef9e75db"}, "isImmediate": false, "refundRoute": {"kind": "INTERNAL", "accountId": "InternalAccount:01a20164-ef8c-7035-baf8-e91a05fdf947"}}', '{"feesMinor": "50", "rateDetails": {"gridApiFixedFee": 0, "gridApiMultiplier": 10473.6842105, "counterpartyFixedFee": 0, "counterpartyMultiplier": 0.0055575, "gridApiVariableFeeRate": 0.005, "gridApiVariableFeeAmount": 50}, "exchangeRate": 0.017094017, "platformFeesMinor": "0", "railSelectionMode": "AUTO", "expectedSettlementAt": "2026-11-24T00:00:00.000Z", "settlementTimelineSeconds": 158678}', '2026-11-22 03:55:22.324+00', '2026-11-22 03:55:22.324+00', NULL);
INSERT INTO public.uma_addresses VALUES
	('SANDBOX', '$2jmw1o9qp7xz@acme.uma.corridor.example', '01a20164-ea25-700b-9cb5-631babb2f76f', 'Customer:01a20164-ef8b-7005-b785-6a41dcf1d823');
INSERT INTO public.uma_domains VALUES
	('SANDBOX', 'acme.uma.corridor.example', '01a20164-ea25-700b-9cb5-631babb2f76f'),
	('SANDBOX', 'breeze.uma.corridor.example', '01a20164-ea39-7022-b469-7744e6363beb'),
	('SANDBOX', 'civic.uma.corridor.example', '01a20164-ea47-7028-b197-5137c15c4655');
INSERT INTO public.volume_counters VALUES
	('01a20164-ea25-700b-9cb5-631babb2f76f', 'SANDBOX', '2026-11-22/USD-PHP', 30000);
SELECT pg_catalog.setval('public.events_seq_seq', 9, true);
ALTER TABLE ONLY public.beneficial_owners
    ADD CONSTRAINT beneficial_owners_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.books
    ADD CONSTRAINT books_pkey PRIMARY KEY (platform_id, environment);
ALTER TABLE ONLY public.bulk_import_errors
    ADD CONSTRAINT bulk_import_errors_pkey PRIMARY KEY (platform_id, environment, import_id, "position");
ALTER TABLE ONLY public.bulk_import_parts
    ADD CONSTRAINT bulk_import_parts_pkey PRIMARY KEY (platform_id, environment, import_id, kind, "position");
ALTER TABLE ONLY public.bulk_imports
    ADD CONSTRAINT bulk_imports_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.contact_codes
    ADD CONSTRAINT contact_codes_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.corridor_migrations
    ADD CONSTRAINT corridor_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.customer_consents
    ADD CONSTRAINT customer_consents_pkey PRIMARY KEY (platform_id, environment, customer_id, recorded_at);
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_pkey PRIMARY KEY (platform_id, environment, owner_id);
ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.external_accounts
    ADD CONSTRAINT external_accounts_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.inbound_payments
    ADD CONSTRAINT inbound_payments_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.installation_keys
    ADD CONSTRAINT installation_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.internal_accounts
    ADD CONSTRAINT internal_accounts_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.ledger_transfers
    ADD CONSTRAINT ledger_transfers_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.lookups
    ADD CONSTRAINT lookups_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.ownership_challenges
    ADD CONSTRAINT ownership_challenges_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.platform_configs
    ADD CONSTRAINT platform_configs_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT platforms_name_key UNIQUE (name);
ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT platforms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.quotes
    ADD CONSTRAINT quotes_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.signed_requests
    ADD CONSTRAINT signed_requests_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.suspense_items
    ADD CONSTRAINT suspense_items_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.uma_addresses
    ADD CONSTRAINT uma_addresses_pkey PRIMARY KEY (environment, address);
ALTER TABLE ONLY public.uma_domains
    ADD CONSTRAINT uma_domains_pkey PRIMARY KEY (environment, domain);
ALTER TABLE ONLY public.verification_links
    ADD CONSTRAINT verification_links_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_one_at_a_time UNIQUE (platform_id, environment, customer_id, number);
ALTER TABLE ONLY public.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id, platform_id, environment);
ALTER TABLE ONLY public.volume_counters
    ADD CONSTRAINT volume_counters_pkey PRIMARY KEY (id, platform_id, environment);
CREATE INDEX beneficial_owners_of_customer ON public.beneficial_owners USING btree (platform_id, environment, customer_id, created_at, id);
CREATE INDEX customers_by_platform_customer_id ON public.customers USING btree (platform_id, environment, platform_customer_id);
CREATE INDEX customers_by_uma_address ON public.customers USING btree (platform_id, environment, uma_address);
CREATE INDEX customers_listed ON public.customers USING btree (platform_id, environment, created_at DESC, id DESC);
CREATE UNIQUE INDEX customers_platform_customer_id ON public.customers USING btree (platform_id, environment, platform_customer_id) WHERE (deleted_at IS NULL);
CREATE INDEX documents_listed ON public.documents USING btree (platform_id, environment, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX documents_of_customer ON public.documents USING btree (platform_id, environment, customer_id);
CREATE INDEX documents_of_holder ON public.documents USING btree (platform_id, environment, holder_id) WHERE (deleted_at IS NULL);
CREATE INDEX events_due ON public.events USING btree (platform_id, environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX events_given_up ON public.events USING btree (platform_id, environment, created_at DESC, id DESC) WHERE (status = 'FAILED'::text);
CREATE INDEX events_heads ON public.events USING btree (platform_id, environment, resource_id, seq) WHERE (status = 'QUEUED'::text);
CREATE INDEX events_retries ON public.events USING btree (platform_id, environment, due_at) WHERE ((status = 'RETRYING'::text) AND (due_at IS NOT NULL));
CREATE UNIQUE INDEX external_accounts_default_uma ON public.external_accounts USING btree (platform_id, environment, owner_id) WHERE (default_uma_deposit_account AND (deleted_at IS NULL));
CREATE UNIQUE INDEX external_accounts_duplicate ON public.external_accounts USING btree (platform_id, environment, owner_id, duplicate_key) WHERE (deleted_at IS NULL);
CREATE INDEX external_accounts_listed ON public.external_accounts USING btree (platform_id, environment, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING brin (expires_at) WITH (autosummarize='on');
CREATE INDEX internal_accounts_listed ON public.internal_accounts USING btree (platform_id, environment, created_at DESC, id DESC);
CREATE UNIQUE INDEX internal_accounts_one_per_currency ON public.internal_accounts USING btree (platform_id, environment, owner_id, currency);
CREATE UNIQUE INDEX internal_accounts_reference ON public.internal_accounts USING btree (platform_id, environment, funding_reference);
CREATE INDEX jobs_book ON public.jobs USING btree (platform_id, environment, run_at) WHERE (dead_at IS NULL);
CREATE INDEX jobs_due ON public.jobs USING btree (due_at) WHERE (dead_at IS NULL);
CREATE UNIQUE INDEX jobs_key ON public.jobs USING btree (platform_id, environment, key, kind) WHERE ((key IS NOT NULL) AND (dead_at IS NULL));
CREATE UNIQUE INDEX ledger_transfers_resolution ON public.ledger_transfers USING btree (platform_id, environment, pending_id) WHERE (pending_id IS NOT NULL);
CREATE INDEX lookups_expired ON public.lookups USING btree (platform_id, environment, expires_at);
CREATE INDEX messages_listed ON public.messages USING btree (platform_id, environment, created_at DESC, id DESC);
CREATE UNIQUE INDEX ownership_challenges_outstanding ON public.ownership_challenges USING btree (platform_id, environment, external_account_id) WHERE (status = 'OUTSTANDING'::text);
CREATE UNIQUE INDEX platform_configs_one ON public.platform_configs USING btree (platform_id, environment);
CREATE INDEX quotes_expiring ON public.quotes USING btree (platform_id, environment, expires_at) WHERE (status = 'PENDING'::text);
CREATE UNIQUE INDEX quotes_reference ON public.quotes USING btree (platform_id, environment, payment_reference) WHERE (payment_reference IS NOT NULL);
CREATE INDEX signed_requests_expired ON public.signed_requests USING btree (platform_id, environment, expires_at) WHERE (NOT is_remembered);
CREATE INDEX suspense_items_waiting ON public.suspense_items USING btree (platform_id, environment, internal_account_id, created_at, id) WHERE (status = 'WAITING'::text);
CREATE UNIQUE INDEX tokens_client_id ON public.tokens USING btree (client_id);
CREATE INDEX tokens_listed ON public.tokens USING btree (platform_id, environment, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX transactions_by_owner ON public.transactions USING btree (platform_id, environment, owner_id, created_at DESC, id DESC);
CREATE INDEX transactions_by_reference ON public.transactions USING btree (platform_id, environment, reference);
CREATE INDEX transactions_by_refund_reference ON public.transactions USING btree (platform_id, environment, refund_reference) WHERE (refund_reference IS NOT NULL);
CREATE INDEX transactions_listed ON public.transactions USING btree (platform_id, environment, created_at DESC, id DESC);
CREATE UNIQUE INDEX verification_links_token ON public.verification_links USING btree (token_hash);
CREATE INDEX verifications_in_review ON public.verifications USING btree (created_at, id) WHERE (status = 'PENDING_MANUAL_REVIEW'::text);
CREATE INDEX verifications_listed ON public.verifications USING btree (platform_id, environment, created_at DESC, id DESC);
ALTER TABLE ONLY public.books
    ADD CONSTRAINT books_platform_id_fkey FOREIGN KEY (platform_id) REFERENCES public.platforms(id);
ALTER TABLE public.beneficial_owners ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.books ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.bulk_import_errors ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.bulk_import_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.bulk_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.contact_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.customer_consents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.data_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.external_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.inbound_payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.internal_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_transfers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.lookups ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_book ON public.beneficial_owners TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.books TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.bulk_import_errors TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.bulk_import_parts TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.bulk_imports TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.contact_codes TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.customer_consents TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.customers TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.data_keys TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.documents TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.events TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.external_accounts TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.idempotency_keys TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.inbound_payments TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.internal_accounts TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.jobs TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.ledger_accounts TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.ledger_transfers TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.lookups TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.messages TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.ownership_challenges TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.platform_configs TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.quotes TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.signed_requests TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.suspense_items TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.tokens TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.transactions TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.verification_links TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.verifications TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
CREATE POLICY one_book ON public.volume_counters TO corridor_app USING (((platform_id, environment) = ( SELECT (current_setting('corridor.platform'::text))::uuid AS current_setting,
    current_setting('corridor.environment'::text) AS current_setting)));
ALTER TABLE public.ownership_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.platform_configs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.quotes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.signed_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.suspense_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.verification_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.verifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.volume_counters ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.beneficial_owners TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.books TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bulk_import_errors TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bulk_import_parts TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bulk_imports TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.contact_codes TO corridor_app;
GRANT SELECT,INSERT ON TABLE public.customer_consents TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.customers TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.data_keys TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.external_accounts TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.inbound_payments TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.internal_accounts TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.jobs TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ledger_accounts TO corridor_app;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lookups TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.messages TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ownership_challenges TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.platform_configs TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.quotes TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.signed_requests TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.suspense_items TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tokens TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.uma_addresses TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.uma_domains TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.verification_links TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.verifications TO corridor_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.volume_counters TO corridor_app;
