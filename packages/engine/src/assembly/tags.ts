/** What each group of operations is for; the published document shows it, and a test wants all of them. */
export const tags: Readonly<Record<string, string>> = {
  'API Tokens': 'Credentials of a platform, with their permissions and limits.',
  'Agent Management': 'Agents that act for a customer: policies, device codes and approvals.',
  'Agent Operations':
    'Operations that an agent calls with its own access token. The policy of the agent limits them.',
  'Available UMA Providers': 'Institutions that UMA payments can reach.',
  Cards: 'Cards of customers, funded by internal accounts.',
  'Contact Verification': 'Codes by e-mail and SMS that verify a customer’s contacts.',
  'Cross-Currency Transfers': 'Quotes that lock a rate and its fees, their execution, and receiver lookups.',
  Customers: 'People and businesses for whom a platform moves money. Create them one by one or from a file.',
  Discoveries: 'Banks and mobile money providers, by country and currency.',
  Documents: 'Identity documents of customers and business owners.',
  'Embedded Wallet Auth': 'Credentials, sessions and delegated keys of a customer’s own wallet.',
  'Exchange Rates': 'Indicative rates and fees. Create a quote to lock them.',
  'External Accounts':
    'Bank accounts, mobile money accounts and crypto wallets outside Corridor that you can pay or collect from.',
  'Internal Accounts': 'Balances in Corridor, with their funding instructions.',
  Invitations: 'Invitations to UMA that new customers claim.',
  'KYC/KYB Verifications': 'Verification of people, businesses and their owners.',
  'Platform Configuration':
    'Settings of a platform, such as the webhook endpoint, UMA domain, currencies and fees.',
  Receivables:
    'Amounts that customers or the platform owe after a return or chargeback. You can collect these amounts.',
  'Same-Currency Transfers': 'Same-currency payments between an internal and an external account.',
  Sandbox:
    'Simulated events, such as incoming money, card purchases and the passing of time. Requires sandbox credentials.',
  Stablecoins: 'Stablecoins of a platform: link a provider, mint and burn.',
  'Strong Customer Authentication':
    'A customer’s factors, which authorize payments, logins and trusted beneficiaries.',
  Transactions: 'Incoming and outgoing payments that you can read, approve or cancel.',
  VASPs: 'Custodians that can hold a customer’s wallet.',
  Webhooks: 'The key that signs webhooks, and a test event for the configured endpoint.',
}
