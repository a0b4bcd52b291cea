import { type Cluster, startCluster } from '../bench/cluster.ts'

/** A private PostgreSQL server for tests, which lose nothing when the machine loses power. */
export function startTestCluster(): Promise<Cluster> {
  return startCluster({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '128MB',
  })
}
