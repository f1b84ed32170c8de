import { Check, Minus, X } from 'lucide-react';
import type { StepView } from '../../shared/connection-view.ts';
import { HostName } from '../parts/host-name.tsx';
import { words } from '../words.ts';
import './discovery-steps.css';

interface DiscoveryStepsProps {
  readonly steps: readonly StepView[];
  /** Discovery still runs: the last step is under way, and is read out as it goes. */
  readonly live?: boolean;
}

/** What was asked, in order, and what came back: ticking while it runs, the evidence afterwards. */
export function DiscoverySteps({ steps, live = false }: DiscoveryStepsProps) {
  return (
    <div className="steps-part">
      <ol className="steps" aria-label={words.connect.stepsLabel} aria-live={live ? 'polite' : undefined}>
        {steps.map((step, index) => (
          <li className={`step ${step.outcome}`} key={`${step.step} ${step.url ?? ''} ${index}`}>
            <StepMark outcome={step.outcome} />
            <span className="step-text">
              {words.connect.steps[step.outcome][step.step]}
              {step.code && step.outcome === 'failed' && <span className="mono small"> {step.code}</span>}
            </span>
            {step.url && (
              <span className="step-url address">
                <HostName>{step.url}</HostName>
                {step.status !== undefined && <span className="step-status"> {step.status}</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
      {live && <p className="faint small">{words.connect.opensNothing}</p>}
    </div>
  );
}

function StepMark({ outcome }: { readonly outcome: StepView['outcome'] }) {
  switch (outcome) {
    case 'started':
      return <span className="spinner step-mark" aria-hidden="true" />;
    case 'found':
      return <Check className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
    case 'not-found':
      return <Minus className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
    case 'failed':
      return <X className="step-mark" aria-hidden="true" size={15} strokeWidth={2.5} />;
  }
}
