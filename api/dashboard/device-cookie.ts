import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import type { Device } from '../auth/throttle.ts';
import { readCookie, setCookie } from './session-cookie.ts';

const DEVICE = 'device';
const REMEMBERED_MS = 90 * DAY_MS;
/** Members of one browser: enough for a person of many businesses. */
const MOST_MEMBERS = 20;
/** No cookie of ours is longer: an id has 30 characters. */
const LONGEST = 1_500;
const OWNER = { table: 'device cookie', row: '', tenant: '', mode: 'both' };

/** What the cookie says, sealed: nobody but this service can make one. */
interface Remembered extends Device {
  rememberedUntil: number;
}

type Deps = Pick<Context, 'vault' | 'clock'>;

/**
 * Remembers that this browser signed this member in. Their wrong passwords and codes are then
 * counted apart from everybody else's, so that a stranger on the same network cannot lock them out.
 */
export function rememberDevice(deps: Deps, response: Response, memberId: string): void {
  const { vault, clock } = deps;
  const before = deviceOf(deps, response.req)?.memberIds ?? [];
  const device: Remembered = {
    memberIds: [...new Set([memberId, ...before])].slice(0, MOST_MEMBERS),
    nonce: randomUUID(),
    rememberedUntil: clock().getTime() + REMEMBERED_MS,
  };
  setCookie(response, DEVICE, vault.seal(JSON.stringify(device), OWNER), REMEMBERED_MS / 1_000);
}

/** A browser that signed somebody in before; undefined for any other. */
export function deviceOf({ vault, clock }: Deps, request: Request): Device | undefined {
  const sealed = readCookie(request, DEVICE);
  if (!sealed || sealed.length > LONGEST) return undefined;
  try {
    const device = JSON.parse(vault.open(sealed, OWNER)) as Remembered;
    return device.rememberedUntil > clock().getTime() ? device : undefined;
  } catch {
    return undefined;
  }
}
