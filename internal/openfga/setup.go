package openfga

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"sanad/internal/domain"
)

// Init prepares a server: it creates a store with this name if c names none, and writes the shipped model if the
// store's newest lacks a relation. It returns the ids to start Sanad with.
func Init(ctx context.Context, c Config, name string) (store, model string, err error) {
	if c.Store != "" && !storeID.MatchString(c.Store) {
		return "", "", domain.Refuse(domain.Invalid, "", "refused_id_openfga_store")
	}
	cl, err := newClient(c)
	if err != nil {
		return "", "", err
	}
	if cl.store == "" {
		if cl.store, err = cl.createStore(ctx, name); err != nil {
			return "", "", err
		}
	}
	model, err = cl.ensureModel(ctx)
	return cl.store, model, err
}

func (c *client) createStore(ctx context.Context, name string) (string, error) {
	var out struct {
		ID string `json:"id"`
	}
	err := c.do(ctx, call{
		method: http.MethodPost, path: "/stores", in: map[string]string{"name": name}, out: &out,
		timeout: syncTimeout,
	})
	if err == nil && !storeID.MatchString(out.ID) {
		err = errors.New("openfga: the new store has no id")
	}
	return out.ID, err
}

// ensureModel returns the id of a model that has all relations that Sanad checks.
func (c *client) ensureModel(ctx context.Context) (string, error) {
	m, err := c.readModel(ctx, syncTimeout)
	if err != nil {
		return "", err
	}
	if m != nil && m.lacks() == "" {
		return m.ID, nil
	}
	var out struct {
		ID string `json:"authorization_model_id"`
	}
	err = c.do(ctx, call{
		method: http.MethodPost, path: c.ofStore("/authorization-models"), in: json.RawMessage(modelJSON),
		out: &out, timeout: syncTimeout,
	})
	return out.ID, err
}

// readModel returns the model that the server evaluates, or nil if the store has none.
func (c *client) readModel(ctx context.Context, timeout time.Duration) (*model, error) {
	k := call{method: http.MethodGet, timeout: timeout, repeatable: true}
	if c.model != "" {
		var one struct {
			Model *model `json:"authorization_model"`
		}
		k.path, k.out = c.ofStore("/authorization-models/"+c.model), &one
		err := c.do(ctx, k)
		return one.Model, err
	}
	var newest struct {
		Models []*model `json:"authorization_models"`
	}
	k.path, k.out = c.ofStore("/authorization-models?page_size=1"), &newest
	if err := c.do(ctx, k); err != nil || len(newest.Models) == 0 {
		return nil, err
	}
	return newest.Models[0], nil
}
