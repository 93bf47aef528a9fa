package accounts

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// listedChanges is how many changes of their account a person is told of.
const listedChanges = 20

// changesOf returns what was changed of a person's account and credentials, and the names of who did it, by id.
func (s *server) changesOf(ctx context.Context, tenant, user string) ([]audit.StoredEvent, map[string]string, error) {
	events, err := s.Store.AccountEvents(ctx, tenant, user, listedChanges)
	if err != nil {
		return nil, nil, err
	}
	names, err := s.Store.ActorNames(ctx, tenant, web.Map(events, func(e audit.StoredEvent) string { return e.Actor }))
	return events, names, err
}

// accountChanges returns the changes as the account's page shows them.
func (s *server) accountChanges(ctx context.Context, tenant, user string) ([]accountsviews.AccountChange, error) {
	events, names, err := s.changesOf(ctx, tenant, user)
	return web.Map(events, func(e audit.StoredEvent) accountsviews.AccountChange {
		at, _ := time.Parse(time.RFC3339Nano, e.At) // as the store wrote it
		return accountsviews.AccountChange{At: at, Action: e.Action, Actor: e.Actor, Name: names[e.Actor], Own: e.Actor == user}
	}), err
}

// apiAccountChange is a change of the caller's account or credentials.
type apiAccountChange struct {
	At        string `json:"at"`
	Action    string `json:"action"`
	Actor     string `json:"actor"`
	ActorName string `json:"actor_name"` // "" for the operator and the system
	Own       bool   `json:"own"`        // made by the caller
}

// apiAccountChanges answers GET /account/changes.
type apiAccountChanges struct {
	Changes []apiAccountChange `json:"changes"`
}

func (s *server) apiListAccountChanges(c echo.Context) error {
	who := s.Who(c)
	if !who.Human {
		return web.MachineDenied()
	}
	events, names, err := s.changesOf(c.Request().Context(), who.Tenant, who.ID)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiAccountChanges{web.Map(events, func(e audit.StoredEvent) apiAccountChange {
		return apiAccountChange{At: e.At, Action: e.Action, Actor: e.Actor, ActorName: names[e.Actor], Own: e.Actor == who.ID}
	})})
}
