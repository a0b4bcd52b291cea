import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { removeFileJob } from './store.ts'

/** Removes the file of a deleted or replaced document from the blob store. */
const removeFile = jobHandler<{ blobKey: string }>({
  kind: removeFileJob,
  async run(engine, _scope, { blobKey }) {
    await engine.blobs.remove(blobKey)
    return ok({ result: () => undefined })
  },
})

export const documentJobs = [removeFile]
