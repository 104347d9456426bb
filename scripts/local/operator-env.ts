import { join } from 'node:path';
import { type Env, readEnv } from '../../config/env.ts';
import { SetupError } from '../../config/setup-error.ts';
import { localDir, localMasterKey, readJson } from './files.ts';
import type { Demo } from './stack.ts';

/**
 * The installation that these settings name, or the running local stack where they name none: as
 * the operator that it made, or as whoever they say where it was started with OPERATORS.
 */
export async function operatorEnv(settings: NodeJS.ProcessEnv): Promise<Env> {
  if (settings.DATABASE_URL || settings.DATABASE_URL_FILE) return readEnv(settings);
  const dir = localDir(settings);
  const demo = await readJson<Demo>(join(dir, 'demo.json'));
  if (!demo) {
    throw new SetupError(
      'There is no database to work on: set DATABASE_URL, or run the local stack (npm start) and try again.',
    );
  }
  const { origin, port, pathname } = new URL(demo.base_url);
  return readEnv({
    ...settings,
    DATABASE_URL: demo.database_url,
    REDIS_URL: demo.redis_url ?? '',
    MASTER_KEY: await localMasterKey(dir),
    PORT: port,
    OPERATORS: demo.operators,
    OPERATORS_FILE: undefined,
    ...(demo.board_user !== null && {
      OPERATOR_USER: demo.board_user,
      OPERATOR_PASSWORD: demo.board_password,
      OPERATOR_PASSWORD_FILE: undefined,
    }),
    PUBLIC_URL: origin,
    BASE_PATH: pathname.replace(/\/v1$/, ''),
    SANDBOX_URL: demo.sandbox_url,
    LOG_LEVEL: 'warn',
  });
}
