/** What a browser says about the page that asked for a signature. Nothing in it has been checked. */
export interface ClientData {
  readonly type: unknown
  readonly challenge: unknown
  readonly origin: unknown
  /** Present on a page that another one frames. */
  readonly topOrigin?: unknown
}

export function parseClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as ClientData) : undefined
  } catch {
    return undefined
  }
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}
