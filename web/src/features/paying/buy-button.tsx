import type { ReactNode } from 'react';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, type ButtonStyle, buttonClass } from '#web/ui/button.tsx';
import type { Purchase } from './order-queries.ts';
import { usePay } from './use-pay.ts';

interface BuyButtonProps extends ButtonStyle {
  purchase: Purchase;
  onPaid: () => void;
  children: ReactNode;
}

/** The page contains both buttons for everyone; CSS shows the one for visitors or for users. */
export function BuyButton({ purchase, onPaid, children, variant }: BuyButtonProps) {
  const pay = usePay();
  const buy = async () => {
    if ((await pay(purchase)) !== undefined) onPaid();
  };
  return (
    <>
      <SignInLink className={buttonClass({ variant, block: true })} data-for="guest">
        登录后购买
      </SignInLink>
      <Button variant={variant} block data-for="member" aria-haspopup="dialog" onClick={buy}>
        {children}
      </Button>
    </>
  );
}
