import type { Translated } from '../../../shared/translated.ts';
import type { permissionWords as english } from '../en/permission-words.ts';

export const permissionWords: Translated<typeof english> = {
  openId: {
    openid: 'Sehen, wer Sie sind',
    profile: 'Ihren Namen und Ihr Bild sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    offline_access: 'Angemeldet bleiben, bis Sie sich abmelden',
  },
  googleAccount: {
    'https://www.googleapis.com/auth/gmail.readonly': 'Ihre E-Mails lesen',
    'https://www.googleapis.com/auth/gmail.compose': 'Entwürfe schreiben und E-Mails als Sie senden',
    'https://www.googleapis.com/auth/calendar.readonly': 'Ihre Kalender sehen',
    'https://www.googleapis.com/auth/drive.readonly': 'Alle Dateien in Ihrem Drive sehen',
    'https://www.googleapis.com/auth/drive.file':
      'Dateien in Ihrem Drive sehen, ändern und löschen, die Sie damit nutzen',
  },
  services: {
    GitHub: {
      repo: 'Ihre Repositorys lesen und ändern, auch private, und Projekte, Teams und Webhooks Ihrer Organisationen verwalten',
      public_repo: 'Ihre öffentlichen Repositorys lesen und ändern',
      delete_repo: 'Ihre Repositorys löschen',
      'read:org': 'Ihre Organisationen, deren Projekte und Teams sehen',
      user: 'Ihr Profil lesen und ändern',
      'read:user': 'Ihr Profil sehen',
      'user:email': 'Ihre E-Mail-Adressen sehen',
      gist: 'Gists anlegen und ändern',
      notifications: 'Ihre Benachrichtigungen lesen, als gelesen markieren und Repositorys beobachten',
      workflow: 'Workflows von GitHub Actions ändern',
      project: 'Projekte lesen und ändern',
      'read:project': 'Projekte sehen',
      'read:packages': 'Pakete herunterladen',
      'write:packages': 'Pakete veröffentlichen',
      security_events: 'Warnungen der Codeprüfung sehen und ändern',
    },
    Atlassian: {
      'read:me': 'Ihr Profil sehen',
      'read:jira-work': 'Jira-Projekte und Vorgänge lesen',
      'write:jira-work': 'Jira-Vorgänge anlegen, ändern und löschen und als Sie kommentieren',
      'read:jira-user': 'Jira-Benutzer und deren E-Mail-Adressen sehen',
    },
    Sentry: {
      'org:read': 'Ihre Organisationen sehen',
      'project:read': 'Projekte sehen',
      'project:write': 'Projekte ändern',
      'team:read': 'Teams sehen',
      'team:write': 'Teams ändern',
      'event:read': 'Issues und Ereignisse lesen',
      'event:write': 'Issues ändern',
    },
    Linear: {
      read: 'Lesen, was Ihr Konto sehen kann',
      write: 'Ändern, was Ihr Konto ändern kann',
      'issues:create': 'Issues anlegen',
      'comments:create': 'Kommentare schreiben',
      admin: 'Ihren Workspace verwalten',
    },
    Slack: {
      'search:read.public': 'In öffentlichen Kanälen suchen',
      'channels:history': 'Nachrichten in öffentlichen Kanälen lesen',
      'users:read.email': 'E-Mail-Adressen der Personen in Ihrem Workspace sehen',
      'chat:write': 'Nachrichten senden',
      'canvases:write': 'Canvases anlegen, ändern und löschen',
    },
    Box: {
      root_readwrite: 'Alle Ihre Dateien und Ordner lesen und ändern',
      'ai.readwrite': 'Box AI nutzen',
    },
    Salesforce: {
      refresh_token: 'Angemeldet bleiben, bis Sie sich abmelden',
    },
  },
};
