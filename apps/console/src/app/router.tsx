import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Broken } from '../parts/contained.tsx'
import { NoPage } from '../parts/no-page.tsx'
import { words } from '../words.ts'
import { Gate } from './gate.tsx'

const root = createRootRoute({
  component: Gate,
  notFoundComponent: NoPage,
})

/** One line for each page; its code is read when it is first opened. */
const pages = [
  page('/', () => import('../pages/home/home-page.tsx'), 'HomePage'),
  page('/payments', () => import('../pages/payments/payments-page.tsx'), 'PaymentsPage'),
  page('/payments/$id', () => import('../pages/payment/payment-page.tsx'), 'PaymentPage'),
  page('/quotes/new', () => import('../pages/quote/new-quote-page.tsx'), 'NewQuotePage'),
  page('/quotes/$id', () => import('../pages/quote/quote-page.tsx'), 'QuotePage'),
  page('/webhooks', () => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
  page('/requests', () => import('../pages/requests/requests-page.tsx'), 'RequestsPage'),
  page('/requests/$id', () => import('../pages/requests/request-page.tsx'), 'RequestPage'),
  page('/ledger', () => import('../pages/ledger/ledger-page.tsx'), 'LedgerPage'),
  page('/ledger/journals/$id', () => import('../pages/ledger/journal-page.tsx'), 'JournalPage'),
  page('/ledger/$id', () => import('../pages/ledger/ledger-account-page.tsx'), 'LedgerAccountPage'),
  page('/sandbox', () => import('../pages/sandbox/sandbox-page.tsx'), 'SandboxPage'),
  page('/sandbox/clock', () => import('../pages/sandbox/clock.tsx'), 'ClockPage'),
  page('/sandbox/scenarios', () => import('../pages/sandbox/scenarios.tsx'), 'ScenariosPage'),
  page('/sandbox/money', () => import('../pages/sandbox/money-in.tsx'), 'MoneyInPage'),
  page('/sandbox/inbox', () => import('../pages/sandbox/inbox.tsx'), 'InboxPage'),
  page('/sandbox/faults', () => import('../pages/faults/faults-page.tsx'), 'FaultsPage'),
  page('/sandbox/faults/$id', () => import('../pages/faults/fault-page.tsx'), 'FaultPage'),
  page('/sandbox/worlds', () => import('../pages/worlds/worlds-page.tsx'), 'WorldsPage'),
  page('/customers', () => import('../pages/customers/customers-page.tsx'), 'CustomersPage'),
  page('/customers/$id', () => import('../pages/customers/customer-page.tsx'), 'CustomerPage'),
  page('/accounts', () => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  page('/accounts/$id', () => import('../pages/accounts/account-page.tsx'), 'AccountPage'),
  page('/receivables', () => import('../pages/receivables/receivables-page.tsx'), 'ReceivablesPage'),
  page('/receivables/$id', () => import('../pages/receivables/receivable-page.tsx'), 'ReceivablePage'),
  page('/cards', () => import('../pages/resources/cards-pages.tsx'), 'CardsPage'),
  page('/cards/$id', () => import('../pages/resources/cards-pages.tsx'), 'CardPage'),
  page('/agents', () => import('../pages/resources/agents-pages.tsx'), 'AgentsPage'),
  page('/agents/$id', () => import('../pages/resources/agents-pages.tsx'), 'AgentPage'),
  page('/stablecoins', () => import('../pages/resources/stablecoin-pages.tsx'), 'StablecoinsPage'),
  page('/stablecoins/$id', () => import('../pages/resources/stablecoin-pages.tsx'), 'StablecoinPage'),
  page(
    '/stablecoin-operations/$id',
    () => import('../pages/resources/stablecoin-operations.tsx'),
    'StablecoinOperationPage',
  ),
  page(
    '/stablecoin-provider-accounts/$id',
    () => import('../pages/resources/stablecoin-pages.tsx'),
    'ProviderAccountPage',
  ),
  page('/verifications', () => import('../pages/identity/identity-pages.tsx'), 'VerificationsPage'),
  page('/verifications/$id', () => import('../pages/identity/identity-pages.tsx'), 'VerificationPage'),
  page('/documents', () => import('../pages/identity/identity-pages.tsx'), 'DocumentsPage'),
  page('/documents/$id', () => import('../pages/identity/identity-pages.tsx'), 'DocumentPage'),
  page('/beneficial-owners/$id', () => import('../pages/identity/identity-pages.tsx'), 'BeneficialOwnerPage'),
  page('/external-accounts/new', () => import('../pages/payees/new-payee-page.tsx'), 'NewPayeePage'),
  page(
    '/external-accounts/$id',
    () => import('../pages/payees/external-account-page.tsx'),
    'ExternalAccountPage',
  ),
  page('/delegated-keys/$id', () => import('../pages/wallets/wallet-parts.tsx'), 'DelegatedKeyPage'),
  page('/imports/$id', () => import('../pages/imports/import-page.tsx'), 'ImportPage'),
  page('/network', () => import('../pages/network/network-page.tsx'), 'NetworkPage'),
  page('/rates', () => import('../pages/network/rates-page.tsx'), 'RatesPage'),
  page('/invitations/$id', () => import('../pages/network/invitation-page.tsx'), 'InvitationPage'),
  operatorPage('', () => import('../pages/operator/overview-page.tsx'), 'OverviewPage'),
  operatorPage('/platforms', () => import('../pages/operator/platforms-page.tsx'), 'PlatformsPage'),
  operatorPage('/platforms/$id', () => import('../pages/operator/platform-page.tsx'), 'PlatformPage'),
  operatorPage('/events', () => import('../pages/operator/events-page.tsx'), 'EventsPage'),
  operatorPage('/reviews', () => import('../pages/operator/reviews-page.tsx'), 'ReviewsPage'),
  operatorPage('/reviews/$id', () => import('../pages/operator/reviews-page.tsx'), 'ReviewPage'),
  operatorPage('/rails', () => import('../pages/operator/rails-page.tsx'), 'RailsPage'),
  operatorPage('/pauses', () => import('../pages/operator/rails-page.tsx'), 'RailsPage'),
  operatorPage('/jobs', () => import('../pages/operator/jobs-page.tsx'), 'JobsPage'),
  operatorPage('/suspense', () => import('../pages/operator/suspense-page.tsx'), 'SuspensePage'),
  operatorPage(
    '/receivables',
    () => import('../pages/operator/receivables-page.tsx'),
    'OperatorReceivablesPage',
  ),
  operatorPage('/audit-log', () => import('../pages/operator/audit-log-page.tsx'), 'AuditLogPage'),
  operatorPage('/staff', () => import('../pages/operator/staff-page.tsx'), 'StaffPage'),
  // Else it would be taken for the start page of a platform called so.
  createRoute({ getParentRoute: () => root, path: '/operator/$page', component: NoPage }),
  page('/settings', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
]

/** Addresses of what stands on a page with other things: they lead to that page, in each environment and world. */
const parts = [
  part('/ledger/accounts', '/ledger'),
  part('/ledger/audit', '/ledger'),
  part('/webhooks/endpoint', '/webhooks'),
  part('/settings/config', '/settings'),
  part('/settings/tokens', '/settings'),
  part('/settings/terms', '/settings'),
  operatorPart('/overview', ''),
  operatorPart('/audit', '/audit-log'),
]

type Load = () => Promise<Record<string, unknown>>

function page(path: string, load: Load, name: string) {
  return pageAt(path === '/' ? '/$platform/$environment' : `/$platform/$environment${path}`, load, name)
}

function operatorPage(path: string, load: Load, name: string) {
  return pageAt(`/operator${path}`, load, name)
}

function part(path: string, of: string) {
  return leads(`/$platform/$environment${path}`, `/$platform/$environment${of}`)
}

function operatorPart(path: string, of: string) {
  return leads(`/operator${path}`, `/operator${of}`)
}

function leads(path: string, to: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad({ params, search }) {
      throw redirect({ to, params, search, replace: true } as never)
    },
  })
}

function pageAt(path: string, load: Load, name: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent((() => read(load)) as never, name as never),
  })
}

/**
 * The code of a page. Where a newer console was built since, the router reads everything anew; where the server gives no
 * answer at all that would lose what is shown, so it is said instead.
 */
async function read(load: Load): Promise<Record<string, unknown>> {
  try {
    return await load()
  } catch (error) {
    await fetch('/console', { cache: 'no-store' }).catch(() => {
      throw new Error(words.states.noAnswer)
    })
    throw error
  }
}

const start = createRoute({ getParentRoute: () => root, path: '/', component: () => null })

export const router = createRouter({
  routeTree: root.addChildren([start, ...pages, ...parts]),
  basepath: '/console',
  defaultPreload: 'intent',
  // Code that did not come, or a page that cannot be drawn: the frame around it stays.
  defaultErrorComponent: ({ error }) => (
    <Broken title={words.states.brokenPage} error={error} onRetry={() => void router.invalidate()} />
  ),
})
