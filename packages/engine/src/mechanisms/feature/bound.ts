import type { Result } from '@corridor/kernel'
import type { Failure } from '../../vocabulary/errors.ts'
import type {
  BodyCheck as AnyBodyCheck,
  Route as AnyRoute,
  Call,
  Operation,
  Reply,
} from '../../vocabulary/operation.ts'
import type { HostedPage as AnyHostedPage } from '../http/hosted-page.ts'
import type { PlainPage as AnyPlainPage } from '../http/plain-page.ts'
import type { JobHandler as AnyJobHandler } from '../jobs/runner.ts'
import type { Sweep as AnySweep } from '../jobs/sweeps.ts'
import type { AnswerHandler as AnyAnswerHandler } from '../outbox/relay.ts'
import type { Engine } from './engine.ts'

/**
 * What the mechanisms serve, bound to the Engine: a mechanism knows of an engine only what it needs itself,
 * and hands it on. Features take these from here.
 */
export type Route = AnyRoute<Engine>
export type BodyCheck = AnyBodyCheck<Engine>
export type JobHandler<P = never> = AnyJobHandler<Engine, P>
export type Sweep = AnySweep<Engine>
export type AnswerHandler<P = never> = AnyAnswerHandler<Engine, P>
export type PlainPage = AnyPlainPage<Engine>
export type HostedPage = AnyHostedPage<Engine>

/** Binds an operation to its handler; the handler sees the static types of the operation's schemas. */
export function route<O extends Operation>(
  declaration: O,
  handle: (engine: Engine, call: Call<O>) => Promise<Result<Reply, Failure>>,
  {
    check,
    needsSecondPerson,
    prepare,
  }: {
    check?: BodyCheck
    needsSecondPerson?: (engine: Engine, call: Call<O>) => Promise<boolean>
    prepare?: Route['prepare']
  } = {},
): Route {
  return {
    operation: declaration,
    handle: handle as unknown as Route['handle'],
    ...(check ? { check } : {}),
    ...(prepare ? { prepare } : {}),
    ...(needsSecondPerson
      ? { needsSecondPerson: needsSecondPerson as unknown as Route['needsSecondPerson'] }
      : {}),
  } as Route
}

/** Declares a handler with the type of its payload. */
export function jobHandler<P>(handler: JobHandler<P>): JobHandler {
  return handler as unknown as JobHandler
}

/** The same for a handler of answers to events. */
export function answerHandler<P>(handler: AnswerHandler<P>): AnswerHandler {
  return handler as unknown as AnswerHandler
}
