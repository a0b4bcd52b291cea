/** Name and version of this software, as it introduces itself to others. */
export const productToken = 'Corridor/0.1.0'
