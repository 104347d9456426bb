import type { Request, Response } from 'express';
import { MINUTE_MS } from '../../domain/shared/units.ts';
import type { DashboardRequest } from './request.ts';
import { sealedCookie } from './sealed-cookie.ts';

const cookie = sealedCookie<{ to: string; shown: object }>('shown-once', {
  validMs: MINUTE_MS,
  longest: 4_000,
});

/** Kept for the next load of this view in this session; a reload after that shows it no more. */
export function showOnce(member: DashboardRequest, response: Response, shown: object): void {
  cookie.set(member.context, response, { to: placeOf(member), shown });
}

export function takeOnce(member: DashboardRequest, request: Request, response: Response): object {
  const kept = cookie.read(member.context, request);
  if (kept?.to !== placeOf(member)) return {};
  cookie.clear(response);
  return kept.shown;
}

const placeOf = ({ session, path }: DashboardRequest) =>
  `${session.familyId} ${session.mode} ${path}`;
