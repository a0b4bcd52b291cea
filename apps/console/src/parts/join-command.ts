/** What whoever has the code of a new account sends for its key. The console itself sends it nowhere. */
export function joinCommand(code: string): string {
  return `curl ${location.origin}/operator/join --json '${JSON.stringify({ joinCode: code })}'`
}

/** Whether it may be such a code: keys of people have a prefix of their own. */
export const mayBeJoinCode = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)
