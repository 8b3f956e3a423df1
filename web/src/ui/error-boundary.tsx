import { Component, type ReactNode } from 'react';

interface Props {
  /** A new value renders the children again. */
  resetKey: unknown;
  fallback: ReactNode;
  children: ReactNode;
}

interface State {
  failed: boolean;
}

/** A class, because React supports error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
