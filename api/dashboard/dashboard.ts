import compression from 'compression';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { switchMode } from '../../domain/accounts/session/session.ts';
import { invalid, Problem, type ProblemCode } from '../../domain/shared/problems.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { logProblem } from '../http/reply.ts';
import { filledIn } from '../http/route.ts';
import { assets } from './assets.ts';
import { problemsOf, shownFields, withCode } from './confirm.ts';
import { exports } from './exports/exports.ts';
import { exportsUnderWay } from './exports/under-way.ts';
import { lead, send } from './frame.ts';
import { inWords } from './in-words.ts';
import {
  isUnattended,
  keyIn,
  memberRequest,
  requireFor,
  requireFormOf,
  requireSession,
} from './member-request.ts';
import { parseForm, parserOf } from './parse-form.ts';
import {
  type DashboardRequest,
  type Form,
  type FormValues,
  type Notice,
  notices,
  type Question,
  type Refused,
  type SignedIn,
  type View,
} from './request.ts';
import { requireSameOrigin } from './same-origin.ts';
import { setNotice, takeNotice } from './session-cookie.ts';
import { showOnce, takeOnce } from './shown-once.ts';
import { nextOf } from './sign-in/form.ts';
import { signInViews } from './sign-in/views.ts';
import { takeUnsent } from './unsent-form.ts';
import { views } from './views.ts';

/** Views show what routes of the API answer, and forms call them: the rules are the API's. */
export function dashboard(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.use('/assets', compression(), assets());
  router.use(compression());
  router.use(requireSameOrigin);
  router.use(signInViews(context));
  const signedIn =
    (handle: (visit: Visit) => Promise<void>, view?: View, form?: Form): RequestHandler =>
    async (request, response) => {
      const submitted = view && form && { path: pathOf(form.ask ? form : view, request), form };
      const who = await requireSession(context, request, response, submitted);
      if (who) await handle({ context, request, response, who });
    };
  router.post('/mode', parseForm, signedIn(chooseMode));
  const bounded = exportsUnderWay();
  for (const file of exports)
    router.get(
      file.path,
      signedIn(async ({ request, response, who }) => {
        const member = memberRequest(context, request, who, file.path);
        requireFor(member, file.permission);
        await bounded(who.session.memberId, () => file.send(member, response));
      }),
    );
  for (const view of views)
    router.get(
      view.path,
      signedIn((visit) => showView(visit, view)),
    );
  for (const view of views)
    for (const form of view.forms) {
      if (form.ask)
        router.get(
          form.path,
          signedIn((visit) => showQuestion(visit, view, form)),
        );
      router.post(
        form.path,
        parserOf(form),
        signedIn((visit) => submitForm(visit, view, form), view, form),
      );
    }
  router.use(() => {
    throw new Problem('not_found', 'There is nothing at this address of the dashboard.');
  });
  return router;
}

const pathOf = ({ path }: View | Form, request: Request) =>
  filledIn(path, request.params as Record<string, string>);

type Visit = { context: Context; request: Request; response: Response; who: SignedIn };

async function showView(visit: Visit, view: View): Promise<void> {
  const { context, request, response, who } = visit;
  const member = memberRequest(context, request, who, view.path);
  requireFor(member, view.permission);
  if (isOfOtherMode(member)) return askForMode(visit, view, member.path);
  const isForPerson = !isUnattended(request);
  const refused = isForPerson ? await takeUnsent(member, request, response) : undefined;
  const data = await view.load({ ...member, refused });
  if (data.leadTo !== undefined) return lead(context, response, data.leadTo);
  if (!isForPerson) return send(context, response, who, view, data);
  const notice = takeNotice(request, response);
  await send(context, response, who, view, {
    ...data,
    refused,
    ...takeOnce(member, request, response),
    notice: notice && Object.hasOwn(notices, notice) ? notices[notice as Notice] : undefined,
  });
}

const otherOf = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

/** Links of mails say which mode they are about. */
const isOfOtherMode = ({ mode, query }: DashboardRequest) => query.mode === otherOf(mode);

/** Opening a link changes nothing: the mode is switched by a form. */
function askForMode({ context, response, who }: Visit, view: View, next: string) {
  const { mode } = who.session;
  const wanted = otherOf(mode);
  return send(
    context,
    response,
    who,
    { ...view, template: 'confirm' },
    {
      title: `Switch to ${wanted} mode?`,
      consequence: `What you opened is about ${wanted} mode, and you are in ${mode} mode.`,
      ...{ fields: [], kept: [['next', next]], action: '/mode', back: '/' },
      ...{ heading: view.title, afterSwitch: next },
    },
  );
}

async function showQuestion(visit: Visit, view: View, form: Form): Promise<void> {
  const { context, request, who } = visit;
  const member = memberRequest(context, request, who, view.path);
  requireFor(member, form.permission);
  const place = { ...member, path: pathOf(form, request) };
  if (isOfOtherMode(member)) return askForMode(visit, view, place.path);
  const refused = await takeUnsent(place, request, visit.response);
  await sendQuestion(visit, view, withCode(form, await form.ask!(member), member)!, refused);
}

/** What was given, and is not asked for again, is kept. */
async function sendQuestion(
  { context, request, response, who }: Visit,
  view: View,
  question: Question,
  refused?: Refused,
): Promise<void> {
  const fields = shownFields(question, refused);
  const names = new Set(fields.map(({ name }) => name));
  await send(
    context,
    response,
    who,
    { ...view, template: question.template ?? 'confirm' },
    {
      ...question,
      fields,
      kept: Object.entries(refused?.values ?? {}).filter(([name]) => !names.has(name)),
      heading: view.title,
      action: request.path,
      back: pathOf(view, request),
      refused: fields.every(({ name }) => name in (refused?.values ?? {})) ? refused : undefined,
    },
  );
}

/** A form refused for its fields, for a status, or for now is shown again with why. */
async function submitForm(visit: Visit, view: View, form: Form): Promise<void> {
  const { context, request, response, who } = visit;
  const { csrf, idempotency_key: key, ...values } = (request.body ?? {}) as FormValues;
  requireFormOf(who, csrf);
  const member = memberRequest(context, request, who, view.path, keyIn(key));
  requireFor(member, form.permission);
  let question: Question | undefined;
  try {
    if (response.locals.refusedFile) throw response.locals.refusedFile;
    const asked = await form.ask?.(member);
    question = withCode(form, asked, member);
    const problems = question ? await problemsOf(question, { ...member, values }) : {};
    if (Object.keys(problems).length > 0) throw invalid(problems);
    question = asked;
    if (form.asksForCode) delete values.code;
    const submitted = await form.submit({ ...member, values, file: request.file?.buffer });
    if ('notice' in submitted) {
      setNotice(response, submitted.notice);
      return lead(context, response, submitted.to ?? member.path);
    }
    if ('once' in submitted) {
      showOnce(member, response, submitted.once);
      return lead(context, response, member.path);
    }
    const shown = { ...(await view.load(member)), ...submitted.shown };
    await send(context, response, who, view, shown);
  } catch (error) {
    if (!canBeShownAgain(error)) throw error;
    const problem = logProblem(context, request, response, error);
    const refused: Refused = {
      form: request.path,
      values,
      code: problem.code,
      message: problem.message,
      fields: inWords(problem.fields ?? {}),
    };
    response.status(problem.status).set(problem.headers);
    if (question && problem.code === 'validation_failed')
      return sendQuestion(visit, view, question, refused);
    const again = { ...member, refused };
    const data = await view.load(again);
    await send(context, response, who, view, { ...data, refused });
  }
}

const shownAgain: readonly ProblemCode[] = [
  ...(['validation_failed', 'invalid_state', 'no_provider'] as const),
  ...(['idempotency_conflict', 'payload_too_large', 'rate_limited', 'unavailable'] as const),
];

function canBeShownAgain(error: unknown): error is Problem {
  return error instanceof Problem && shownAgain.includes(error.code);
}

async function chooseMode({ context, request, response, who }: Visit): Promise<void> {
  requireFormOf(who, request.body?.csrf);
  const { session } = who;
  await switchMode(context.db, session, otherOf(session.mode));
  lead(context, response, nextOf(request.body?.next));
}
