import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { readCookie, setCookie } from './session-cookie.ts';

const DEVICE = 'device';
const REMEMBERED_MS = 90 * 86_400_000;
/** No cookie of ours is longer: an e-mail address has at most 254 characters. */
const LONGEST = 1_000;
const OWNER = { table: 'device cookie', row: '', tenant: '', mode: 'both' };

/** What the cookie says, sealed: nobody but this service can make one. */
interface Device {
  email: string;
  nonce: string;
  rememberedUntil: number;
}

type Deps = Pick<Context, 'vault' | 'clock'>;

/**
 * Remembers that this browser signed this account in. Its wrong passwords are then counted apart
 * from everybody else's, so that a stranger on the same network cannot lock its owner out.
 */
export function rememberDevice({ vault, clock }: Deps, response: Response, email: string): void {
  const device: Device = {
    email: email.toLowerCase(),
    nonce: randomUUID(),
    rememberedUntil: clock().getTime() + REMEMBERED_MS,
  };
  setCookie(response, DEVICE, vault.seal(JSON.stringify(device), OWNER), REMEMBERED_MS / 1_000);
}

/** The name of a browser that signed this account in before; undefined for any other. */
export function deviceOf(
  { vault, clock }: Deps,
  request: Request,
  email: string,
): string | undefined {
  const sealed = readCookie(request, DEVICE);
  if (!sealed || sealed.length > LONGEST) return undefined;
  try {
    const device = JSON.parse(vault.open(sealed, OWNER)) as Device;
    const isTheirs = device.email === email.toLowerCase();
    return isTheirs && device.rememberedUntil > clock().getTime() ? device.nonce : undefined;
  } catch {
    return undefined;
  }
}
