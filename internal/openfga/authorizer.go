package openfga

import (
	"context"
	"net/http"
	"regexp"
	"sync/atomic"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Authorizer asks an OpenFGA server. It is safe for concurrent use, and remembers no answer: who is shut out is shut out
// at the next request.
type Authorizer struct {
	client  *client
	changed chan struct{}          // holds at most one nudge
	behind  atomic.Pointer[string] // why the roles in OpenFGA may be old; "" for they are not
}

// New makes an Authorizer. It does not reach for the network, so that Sanad starts (and denies) while OpenFGA is down.
func New(c Config) (*Authorizer, error) {
	if !storeID.MatchString(c.Store) {
		return nil, domain.Invalidf("", "the id of an OpenFGA store has 26 capital letters and digits")
	}
	cl, err := newClient(c)
	if err != nil {
		return nil, err
	}
	a := &Authorizer{client: cl, changed: make(chan struct{}, 1)}
	a.note("the roles have not been written to OpenFGA yet")
	return a, nil
}

// Allowed tells whether both the actor's role, as the database has it now, and OpenFGA allow the action. The role comes
// first: it takes effect at once where the tuples are written a moment later, and it caps an API token below its person.
// No answer within two seconds, or any other than a plain yes, is no.
func (a *Authorizer) Allowed(ctx context.Context, who domain.Actor, what access.Action, on access.Object) (bool, error) {
	if may, err := (access.ByRole{}).Allowed(ctx, who, what, on); !may || err != nil {
		return false, err
	}
	if !plain(who.ID) || !plain(who.Tenant) {
		return false, nil
	}
	var answer struct {
		Allowed bool `json:"allowed"`
	}
	err := a.client.do(ctx, call{
		method: http.MethodPost, path: a.client.ofStore("/check"), in: a.question(who, what, on), out: &answer,
		timeout: checkTimeout, repeatable: true,
	})
	return err == nil && answer.Allowed, err
}

// question is the body of a Check.
type question struct {
	Tuple       tuple   `json:"tuple_key"`
	Contextual  *tuples `json:"contextual_tuples,omitempty"`
	Model       string  `json:"authorization_model_id,omitempty"`
	Consistency string  `json:"consistency"`
}

// question asks about the object with its parent, or about the tenant where the action is on that, the model has no rule
// for such objects, or the id cannot be one of ours (the page will then say that there is nothing).
//
// The parent is the actor's own tenant, whatever the id names: the store holds each query to the actor's tenant, so a
// yes about another tenant's object finds nothing (docs/openfga.md "Why objects are not stored").
func (a *Authorizer) question(who domain.Actor, what access.Action, on access.Object) question {
	tenant := "tenant:" + who.Tenant
	q := question{
		Tuple: tuple{User: "user:" + who.ID, Relation: relationOf(what), Object: tenant},
		Model: a.client.model, Consistency: "HIGHER_CONSISTENCY", // not from a cache of the server
	}
	if on.Kind != "tenant" && asks(on.Kind, q.Tuple.Relation) && plain(on.ID) {
		q.Tuple.Object = on.Kind + ":" + on.ID
		q.Contextual = &tuples{Keys: []tuple{{User: tenant, Relation: "tenant", Object: q.Tuple.Object}}}
	}
	return q
}

// plainID is an id that means nothing but itself in a tuple: no type, relation or wildcard can be written with it.
var plainID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

func plain(id string) bool { return plainID.MatchString(id) }

// Ready tells why everything is denied, or may be though the role allows it: OpenFGA does not answer, its model lacks a
// relation, the roles there may be old. The error's Safe text may be shown.
func (a *Authorizer) Ready(ctx context.Context) error {
	m, err := a.client.readModel(ctx, checkTimeout)
	if err != nil {
		return notReady("OpenFGA does not answer, so everything is denied", err)
	}
	if m == nil {
		return notReady("OpenFGA has no authorization model; run: sanad openfga init", nil)
	}
	if lacks := m.lacks(); lacks != "" {
		return notReady("the authorization model in OpenFGA lacks "+lacks+"; run: sanad openfga init", nil)
	}
	if behind := *a.behind.Load(); behind != "" {
		return notReady(behind, nil)
	}
	return nil
}

func notReady(msg string, err error) error {
	return &domain.Error{Kind: domain.Unavailable, Op: "openfga.Ready", Msg: msg, Err: err}
}

// note remembers why the roles in OpenFGA may be old.
func (a *Authorizer) note(why string) { a.behind.Store(&why) }
