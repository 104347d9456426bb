import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import type { Device } from '../auth/throttle.ts';
import { sealedCookie } from './sealed-cookie.ts';

/** Enough for a person of many businesses. */
const MOST_MEMBERS = 20;

const cookie = sealedCookie<Device>('device', {
  validMs: 90 * DAY_MS,
  longest: 1_500, // an id has 30 characters
});

type Deps = Pick<Context, 'vault' | 'clock'>;

/** Wrong passwords and codes from a known browser count apart, so strangers lock nobody out. */
export function rememberDevice(deps: Deps, response: Response, memberId: string): void {
  const before = deviceOf(deps, response.req)?.memberIds ?? [];
  const memberIds = [...new Set([memberId, ...before])].slice(0, MOST_MEMBERS);
  cookie.set(deps, response, { memberIds, nonce: randomUUID() });
}

export function deviceOf(deps: Deps, request: Request): Device | undefined {
  return cookie.read(deps, request);
}
