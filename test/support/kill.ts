import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killed } from './killed.ts';
import type { Stack } from './stack.ts';

/** Starts the fleet against the stack's database, queues and sandbox, at the stack's time. */
export function startWorkerProcess(stack: Stack) {
  const { clock, queuePrefix } = stack;
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./worker-process.ts', import.meta.url))],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...environmentOf(stack),
        TEST_CLOCK_OFFSET_MS: String(clock().getTime() - Date.now()),
        TEST_QUEUE_PREFIX: queuePrefix,
      },
    },
  );
  return { kill: () => killed(child) };
}

export function environmentOf({ context: { env } }: Stack): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: env.databaseUrl,
    REDIS_URL: env.redisUrl ?? '',
    MASTER_KEY: env.masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    PUBLIC_URL: env.publicUrl,
    TRUST_PROXY: env.trustProxy ?? '',
    SANDBOX_URL: env.sandboxUrl ?? '',
    WEBHOOK_ALLOWED_HOSTS: env.webhookAllowedHosts.join(','),
  };
}
