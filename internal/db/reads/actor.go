package reads

import "sanad/internal/domain/access"

// StoredActor is what is stored about who asked, besides tenant and id; the name is not.
type StoredActor struct {
	Role  access.Role `json:"role"`
	Token string      `json:"token,omitempty"`
	Human bool        `json:"human,omitempty"`
	From  string      `json:"from,omitempty"`
	Trace string      `json:"trace,omitempty"`
}

// StoredActorOf returns what is stored about an actor. Work in the background is logged as theirs, with the role that
// they had when they asked.
func StoredActorOf(a access.Actor) StoredActor {
	return StoredActor{Role: a.Role, Token: a.Token, Human: a.Human, From: a.From, Trace: a.Trace}
}

// Actor returns who asked, without their name.
func (m StoredActor) Actor(tenant, id string) access.Actor {
	return access.Actor{
		Tenant: tenant, ID: id, Role: m.Role, Token: m.Token, Human: m.Human, From: m.From, Trace: m.Trace,
	}
}
