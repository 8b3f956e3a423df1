import { Component, type ReactNode } from 'react';

interface Props {
  /** A new value gives the children another try. */
  resetBy: unknown;
  fallback: ReactNode;
  children: ReactNode;
}

interface State {
  failed: boolean;
}

/** React offers this only to classes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.resetBy !== this.props.resetBy) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
