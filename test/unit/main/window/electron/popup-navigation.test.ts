import { describe, expect, it } from 'vitest';
import { mayPopupNavigate } from '../../../../../main/window/electron/popup-navigation.ts';

const start = 'https://as.example/authorize';

describe('mayPopupNavigate', () => {
  it.each([
    'https://as.example/login',
    'https://login.elsewhere.example/',
    'http://127.0.0.1:7301/integration/oauth/callback?code=x',
    'http://localhost:7301/integration/oauth/callback',
    'http://[::1]:7301/',
  ])('allows a sign-in to navigate to %s', (url) => {
    expect(mayPopupNavigate(url, start)).toBe(true);
  });

  it.each([
    'http://as.example/login',
    'http://192.168.1.1/',
    'file:///etc/passwd',
    'app://postern/index.html',
    'ms-settings:privacy',
    'mailto:a@b.example',
    'data:text/html,hello',
    'javascript:alert(1)',
    'chrome://settings',
    'blob:https://as.example/1',
    'about:blank',
    'vscode://x',
    '',
  ])('refuses %j (AZ-32)', (url) => {
    expect(mayPopupNavigate(url, start)).toBe(false);
  });

  it('allows plain HTTP only at the internal host that the user allowed', () => {
    expect(mayPopupNavigate('http://idp.internal/step', 'http://idp.internal/authorize')).toBe(true);
    expect(mayPopupNavigate('http://other.internal/step', 'http://idp.internal/authorize')).toBe(false);
  });
});
