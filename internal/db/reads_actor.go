package db

import "sanad/internal/domain"

// jobActor is what is stored about who asked, besides tenant and id; the name is not.
type jobActor struct {
	Role  domain.Role `json:"role"`
	Token string      `json:"token,omitempty"`
	Human bool        `json:"human,omitempty"`
	From  string      `json:"from,omitempty"`
	Trace string      `json:"trace,omitempty"`
}

func jobActorOf(a domain.Actor) jobActor {
	return jobActor{Role: a.Role, Token: a.Token, Human: a.Human, From: a.From, Trace: a.Trace}
}

func (m jobActor) actor(tenant, id string) domain.Actor {
	return domain.Actor{
		Tenant: tenant, ID: id, Role: m.Role, Token: m.Token, Human: m.Human, From: m.From, Trace: m.Trace,
	}
}
