import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-mono/latin-500.css'
import './styles/tokens.css'
import './styles/console.css'
// Before the router looks at the address.
import './app/start-link.ts'
import { Corridor } from '@corridor/sdk/index.ts'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { SessionProvider } from './app/session.tsx'
import { locale } from './language/locale.ts'

// Who hears the page hears it by the rules of its language.
document.documentElement.lang = locale

// The SDK repeats what may be repeated; a second layer of repeating would only make refusals slow.
const client = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // What is gone, as after a restore, stands on no page any more, its acts least of all.
      const isGone = error instanceof Corridor.Error && error.status === 404
      if (isGone && query.state.data !== undefined) query.setState({ ...query.state, data: undefined })
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true } },
})

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
