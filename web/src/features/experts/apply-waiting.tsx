import { Waiting } from '#web/ui/waiting.tsx';

/** The shape of the form, until it is known what to show. */
export const ApplyWaiting = () => (
  <div data-for="member">
    <Waiting className="stack gap-3" lines={['30', '100 l', '30', '100 l']} />
  </div>
);
