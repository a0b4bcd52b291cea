/** The time of the machine that shows the page, in milliseconds: that of nobody's sandbox. */
export const wallMs = () => performance.timeOrigin + performance.now()
