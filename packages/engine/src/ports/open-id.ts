/** Whose word about a person is taken: issuers of OpenID tokens (wallets 5.3). */
export interface OpenIdIssuers {
  /** Whether tokens of this issuer are accepted here, compared exactly. */
  supports(issuer: string): boolean
  /** Whether a key of the issuer signed the token. The claims are judged elsewhere. May ask over the network. */
  verifySignature(token: string, issuer: string): Promise<'VALID' | 'INVALID' | 'UNREACHABLE'>
}
