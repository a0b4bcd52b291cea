/** That of package.json; a test sees to it. */
export const version = '0.1.0'
