import { test } from 'vitest';
import { expectSameAfterChanges } from './draft-fixture.ts';

test.each(Array.from({ length: 60 }, (_, at) => 100 + at))(
  'a long draft that is changed at random is rendered like the whole text (%i)',
  (seed) => expectSameAfterChanges(seed, 12),
);
