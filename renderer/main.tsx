// First, so that the style sheets of the parts stand above them.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askingPage } from '../shared/ipc-channels.ts';
import { App, HeldCallsApp } from './app/app.tsx';
import { receiveLink } from './app/pending-link.tsx';
import { mirrorMain } from './store.ts';
import './styles/arrange.css';
import './styles/base.css';
import './styles/forced-colors.css';
import './styles/tokens.css';
import { preventUnloadWithInput } from './use-retained-state.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no root element');
createRoot(root).render(<StrictMode>{location.hash === askingPage ? <HeldCallsApp /> : <App />}</StrictMode>);
void mirrorMain({ onLink: receiveLink });
preventUnloadWithInput();
