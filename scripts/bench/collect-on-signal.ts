// Preloaded into a process whose memory is measured. SIGUSR2: it frees what nothing refers to, and
// says in a file named by its id what it holds then.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const file = join(process.env.MEMORY_DIR!, `${process.pid}.json`);
  writeFileSync(file, JSON.stringify(process.memoryUsage()));
});
