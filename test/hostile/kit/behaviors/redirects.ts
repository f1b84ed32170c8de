import type { Behavior } from '../honest-answers.ts';

/** To a third host, with a status that keeps method and body. */
export const redirectElsewhere: Behavior = ({ response, scene }) => {
  response.writeHead(307, { location: `${scene.origins.elsewhere}/steal?taken=1` }).end();
};

/** The same with the status that turns a POST into a GET. */
export const foundElsewhere: Behavior = ({ response, scene }) => {
  response.writeHead(302, { location: `${scene.origins.elsewhere}/steal` }).end();
};

/** To itself, forever, each time with another address. */
export const redirectLoop: Behavior = ({ request, response }) => {
  const [path = '/', query = '0'] = (request.url ?? '').split('?');
  response.writeHead(302, { location: `${path}?${Number(query) + 1}` }).end();
};

/** From https down to http, at the same name. */
export const redirectDown: Behavior = ({ request, response }) => {
  response.writeHead(307, { location: `http://${request.headers.host}/down` }).end();
};

/** To something that is not a web address. */
export const redirectToFile: Behavior = ({ response }) =>
  void response.writeHead(302, { location: 'file:///etc/passwd' }).end();

/** To cloud metadata. */
export const redirectToMetadata: Behavior = ({ response }) => {
  response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end();
};
