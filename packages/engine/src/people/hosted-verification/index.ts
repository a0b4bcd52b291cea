export { problemsOfPosted } from './check-posted.ts'
export { type Completion, completeLink, openLink } from './commands.ts'
export { categoriesOf, loadSession, nextStep, type Session, type StepName, stepOf } from './session.ts'
