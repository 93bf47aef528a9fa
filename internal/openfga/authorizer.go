package openfga

import (
	"context"
	"net/http"
	"regexp"
	"sync/atomic"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// Authorizer asks an OpenFGA server. It is safe for concurrent use. It caches no answer, so that revoked access ends at
// the next request.
type Authorizer struct {
	client  *client
	changed chan struct{}          // holds at most one signal
	behind  atomic.Pointer[string] // why the roles in OpenFGA may be out of date; "" if they are current
}

// New returns an Authorizer. It does not use the network, so that Sanad starts (and denies) while OpenFGA is down.
func New(c Config) (*Authorizer, error) {
	if !storeID.MatchString(c.Store) {
		return nil, domain.Refuse(domain.Invalid, "", "refused_id_openfga_store")
	}
	cl, err := newClient(c)
	if err != nil {
		return nil, err
	}
	a := &Authorizer{client: cl, changed: make(chan struct{}, 1)}
	a.setBehind("the roles have not been written to OpenFGA yet")
	return a, nil
}

// Allowed reports whether both the actor's role, as stored now, and OpenFGA allow the action. The role is checked
// first: it takes effect at once, while the tuples are written a moment later, and it limits an API token to its
// person's role. Anything but an explicit yes within two seconds is a no.
func (a *Authorizer) Allowed(ctx context.Context, who access.Actor, what access.Action,
	on access.Object) (bool, error) {
	if may, err := (access.ByRole{}).Allowed(ctx, who, what, on); !may || err != nil {
		return false, err
	}
	if !safeID(who.ID) || !safeID(who.Tenant) {
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

// question asks about the object with its parent. It asks about the tenant instead if the action is on the tenant, if
// the model has no rule for such objects, or if the id cannot be valid (the page will then answer not found).
//
// The parent is always the actor's own tenant. The store restricts each query to that tenant, so a yes about another
// tenant's object finds nothing (docs/openfga.md "Why objects are not stored").
func (a *Authorizer) question(who access.Actor, what access.Action, on access.Object) question {
	tenant := "tenant:" + who.Tenant
	q := question{
		Tuple: tuple{User: "user:" + who.ID, Relation: relationOf(what), Object: tenant},
		Model: a.client.model, Consistency: "HIGHER_CONSISTENCY", // bypasses the server's cache
	}
	if on.Kind != "tenant" && asks(on.Kind, q.Tuple.Relation) && safeID(on.ID) {
		q.Tuple.Object = on.Kind + ":" + on.ID
		q.Contextual = &tuples{Keys: []tuple{{User: tenant, Relation: "tenant", Object: q.Tuple.Object}}}
	}
	return q
}

// safeIDs matches ids that are safe in a tuple: no type, relation or wildcard can be written with them.
var safeIDs = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

func safeID(id string) bool { return safeIDs.MatchString(id) }

// Ready returns why everything is denied, or why an action may be denied that the role allows: OpenFGA does not answer,
// its model lacks a relation, or its roles may be out of date. The error's Safe text may be shown.
func (a *Authorizer) Ready(ctx context.Context) error {
	m, err := a.client.readModel(ctx, checkTimeout)
	if err != nil {
		return notReady(words.Msg("refused_openfga_does_answer"), err)
	}
	if m == nil {
		return notReady(words.Msg("refused_openfga_authorization_model"), nil)
	}
	if lacks := m.lacks(); lacks != "" {
		return notReady(words.Msg("refused_openfga_lacks", "Name", lacks), nil)
	}
	if behind := *a.behind.Load(); behind != "" {
		return notReady(words.AsWritten(behind), nil)
	}
	return nil
}

func notReady(m domain.Message, err error) error {
	return &domain.Error{Kind: domain.Unavailable, Op: "openfga.Ready", Message: m, Err: err}
}

// setBehind records why the roles in OpenFGA may be out of date; "" means that they are current.
func (a *Authorizer) setBehind(why string) { a.behind.Store(&why) }
