/** The version segment of every API path, and the version of the published document (conventions 1). */
export const apiVersion = '2025-10-13'
