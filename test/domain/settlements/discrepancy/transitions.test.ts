import { expect } from 'chai';
import {
  mayClose,
  statusesBefore,
} from '../../../../domain/settlements/discrepancy/transitions.ts';
import { discrepancyStatuses } from '../../../../domain/settlements/entities/discrepancy.ts';

describe('The transitions of a discrepancy', () => {
  it('resolve an open or closed one that vanished', () => {
    expect(statusesBefore('vanished')).to.deep.equal(['open', 'closed']);
  });

  it('let a person close an open one and no other', () => {
    expect(discrepancyStatuses.filter(mayClose)).to.deep.equal(['open']);
  });
});
