/** What each group of operations is for; the published document shows it, and a test wants all of them. */
export const tags: Readonly<Record<string, string>> = {
  'API Tokens': 'Credentials of a platform: each with its permissions, its secret shown once.',
  'Agent Management':
    'Agents that act for a customer: their policy, their device codes, what they ask approval for.',
  'Agent Operations': 'What an agent does with its own access token, within its policy.',
  'Available UMA Providers': 'Institutions that UMA addresses can be paid at.',
  Cards: 'Cards of customers, paid from their internal accounts.',
  'Contact Verification': 'Codes by e-mail and SMS that prove a customer’s contacts.',
  'Cross-Currency Transfers':
    'Quotes that lock a rate and its fees, their execution, and looking up who would be paid.',
  Customers: 'People and businesses for whom money is moved: one at a time, or many from a file.',
  Discoveries: 'Banks and mobile money providers, by country and currency.',
  Documents: 'Files that prove who a customer or an owner is.',
  'Embedded Wallet Auth': 'Credentials, sessions and delegated keys of a customer’s own wallet.',
  'Exchange Rates': 'Rates and fees as they are now, without a promise; a quote locks them.',
  'External Accounts': 'Bank accounts, mobile money and crypto wallets elsewhere, to pay or to collect from.',
  'Internal Accounts': 'Balances held here, and how to pay into them.',
  Invitations: 'Invitations to UMA, which a new customer claims.',
  'KYC/KYB Verifications': 'Verification of people, businesses and their owners.',
  'Platform Configuration':
    'What a platform decides for itself: its webhook endpoint, UMA domain and currencies.',
  Receivables: 'What customers and the platform owe after money was taken back, and its collection.',
  'Same-Currency Transfers': 'Money in and out between an internal and an external account in one currency.',
  Sandbox:
    'What simulates the world outside: money that arrives, card purchases, time. Only with sandbox credentials.',
  Stablecoins: 'Stablecoins of a platform: linking a provider, minting and burning.',
  'Strong Customer Authentication':
    'A customer’s factors, and authorizing payments, logins and trusted payees with them.',
  Transactions: 'Payments in and out: reading, approving, cancelling.',
  VASPs: 'Crypto institutions that a wallet may be held at.',
  Webhooks: 'The key that signs events, and a test event to the configured endpoint.',
}
