/** For each property of an object, what a caller gets instead of its current value. */
export type Overlay<T> = { readonly [K in keyof T]?: (value: T[K]) => T[K] }

/** Wraps an object. Everything that the overlay does not name is read from, and written to, the object itself. */
export function overlaid<T extends object>(target: T, overlay: Overlay<T>): T {
  return new Proxy(target, {
    get(object, name, receiver) {
      const value = Reflect.get(object, name, receiver)
      const replace = Object.hasOwn(overlay, name) ? overlay[name as keyof T] : undefined
      return replace ? replace(value) : value
    },
  })
}
