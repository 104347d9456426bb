import type { Request } from 'express';
import { invalid, type Problem } from '../../domain/shared/problems.ts';
import { isTestScenario, testScenarios } from '../../domain/shared/test-scenarios.ts';
import type { KnownCredential } from '../middleware/authenticate.ts';

/** Throws `validation_failed` in live mode, and for one that we do not know. */
export function readTestScenario(request: Request, credential: KnownCredential | undefined) {
  const scenario = request.headers['test-scenario'];
  if (scenario === undefined) return undefined;
  if (!isTestScenario(scenario)) throw refused(`must be ${list}`);
  if (credential?.mode !== 'test') throw needsSandbox();
  return scenario;
}

export const needsSandbox = (): Problem =>
  refused(
    `works in test mode on a connection to the sandbox, and nowhere else: there it is ${list}`,
  );

const refused = (why: string) => invalid({ 'Test-Scenario': why });

const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(testScenarios);
