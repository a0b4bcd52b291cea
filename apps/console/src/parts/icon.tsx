/** Our own icons, 16 by 16, each of another shape, so that they are told apart without their colour and in any font. */
const shapes = {
  done: 'M3 8.5l3.5 3.5L13 4.5',
  waiting: 'M8 2a6 6 0 1 0 6 6H8z',
  key: 'M8 8a3 3 0 1 1-6 0a3 3 0 0 1 6 0zM8 8h6v3M11.5 8v2.5',
  failed: 'M4 4l8 8m0-8l-8 8',
  expired: 'M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12',
  back: 'M13 12c0-5-3-6-10-6m4-3.5L3 6l4 3.5',
  warning: 'M8 2l6.5 12h-13zM8 6v4m0 1.5v1',
  idle: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z',
  unseen: 'M3 8h2m2 0h2m2 0h2',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 2.5V8l2.5 2',
  light:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v2m0 10v2M1 8h2m10 0h2M3 3l1.5 1.5m7 7L13 13M13 3l-1.5 1.5m-7 7L3 13',
  dark: 'M12.5 10.5A6 6 0 0 1 6 2.5a6 6 0 1 0 6.5 8z',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
