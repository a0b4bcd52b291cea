import { useEffect, useState } from 'react'

type Theme = 'light' | 'dark'

const place = 'corridor.theme'

/** Light or dark: what the system says, until somebody says otherwise. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(chosen)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return [
    theme,
    () => {
      const next = theme === 'dark' ? 'light' : 'dark'
      localStorage.setItem(place, next)
      setTheme(next)
    },
  ]
}

function chosen(): Theme {
  const kept = localStorage.getItem(place)
  if (kept === 'light' || kept === 'dark') return kept
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
