import type { Request, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { readCookie, setCookie } from './session-cookie.ts';

type Deps = Pick<Context, 'vault' | 'clock'>;

/** Only this service can make or read it, and it ends after a time. Nothing longer is kept. */
export function sealedCookie<Value extends object>(
  name: string,
  { validMs, longest }: { validMs: number; longest: number },
) {
  const owner = { table: `${name} cookie`, row: '', tenant: '', mode: 'both' };
  return {
    set({ vault, clock }: Deps, response: Response, value: Value): void {
      const rememberedUntil = clock().getTime() + validMs;
      const sealed = vault.seal(JSON.stringify({ ...value, rememberedUntil }), owner);
      if (sealed.length <= longest) setCookie(response, name, sealed, validMs / 1_000);
    },
    read({ vault, clock }: Deps, request: Request): Value | undefined {
      const sealed = readCookie(request, name);
      if (!sealed || sealed.length > longest) return undefined;
      try {
        const value = JSON.parse(vault.open(sealed, owner));
        return value.rememberedUntil > clock().getTime() ? value : undefined;
      } catch {
        return undefined;
      }
    },
    clear: (response: Response): void => setCookie(response, name, '', 0),
  };
}
