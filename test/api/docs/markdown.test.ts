import { expect } from 'chai';
import { contentsOf } from '../../../api/docs/markdown.ts';

describe('The list of pages for machines', () => {
  it('lets others work while it reads the pages', async () => {
    let hasOtherWorked = false;
    setImmediate(() => {
      hasOtherWorked = true;
    });
    const page = { path: '/', title: 'Getting started', html: '<main></main>' };
    await contentsOf([page], { root: '/docs', published: '/docs' });
    expect(hasOtherWorked).to.equal(true);
  });
});
