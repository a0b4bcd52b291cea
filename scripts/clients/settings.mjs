/** What scripts/clients.ts passes to each client. */
const { BASE, CLIENT_ID, CLIENT_SECRET, ACCOUNT, PAYEE } = process.env
export const [base, clientId, clientSecret, account, payee] = [BASE, CLIENT_ID, CLIENT_SECRET, ACCOUNT, PAYEE]

export const csv = (name) =>
  `umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country\n$${name}@clients.example,${name},INDIVIDUAL,Ada Ro,1980-01-01,1 Main St,Austin,TX,78701,US\n`
