// First, so that the style sheets of the parts stand above them.
import './styles/tokens.css';
import './styles/base.css';
import './styles/arrange.css';
import './styles/forced-colors.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askingPage } from '../shared/asking-page.ts';
import { App } from './app/app.tsx';
import { AskingApp } from './app/asking-app.tsx';
import { takeLink } from './links/take-link.ts';
import { mirrorMain } from './store.ts';
import { keepWhenClosed } from './use-kept.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no root element');
createRoot(root).render(<StrictMode>{location.hash === askingPage ? <AskingApp /> : <App />}</StrictMode>);
void mirrorMain({ onLink: takeLink });
keepWhenClosed();
