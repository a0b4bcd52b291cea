-- Why: the erasure of a customer, and some lists, read every row of a platform to find the few of one customer, account or credential.
create index agents_of_customer on agents (platform_id, environment, customer_id);
create index agent_actions_of_customer on agent_actions (platform_id, environment, customer_id);
create index external_accounts_with_details on external_accounts (platform_id, environment, owner_id) where details is not null;
create index invitations_of_customer on invitations (platform_id, environment, customer_id);
create index passkey_registrations_of_owner on passkey_registrations (platform_id, environment, owner_id);
create index signed_requests_of_owner on signed_requests (platform_id, environment, owner_id);
create index signed_requests_of_resource on signed_requests (platform_id, environment, resource_id) where status = 'PENDING';
create index suspense_items_of_account on suspense_items (platform_id, environment, internal_account_id);
create index suspense_items_of_book on suspense_items (platform_id, environment, created_at desc, id desc);
create index verification_links_of_customer on verification_links (platform_id, environment, customer_id);
create index wallet_secrets_of_owner on wallet_secrets (platform_id, environment, owner_id);
create index wallet_sessions_of_owner on wallet_sessions (platform_id, environment, owner_id);
