package openfga

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"sanad/internal/domain/access"
)

// tuple says that a user has a relation to an object.
type tuple struct {
	User     string `json:"user"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
}

type tuples struct {
	Keys []tuple `json:"tuple_keys"`
}

// Limits of OpenFGA's calls.
const (
	readPage   = 100
	writeBatch = 100   // tuples in one transaction, the server's standard limit
	maxPages   = 10000 // of one tenant's tuples, in case a server's pages never end
)

// roles returns the roles that OpenFGA has in a tenant, by user id. It skips tuples that Sanad does not write, such as
// an operator's own relations and groups.
func (c *client) roles(ctx context.Context, tenant string) (map[string][]access.Role, error) {
	out := map[string][]access.Role{}
	from := ""
	for range maxPages {
		page, next, err := c.readTuples(ctx, "tenant:"+tenant, from)
		if err != nil {
			return nil, err
		}
		for _, t := range page {
			id, isUser := strings.CutPrefix(t.User, "user:")
			if role := access.Role(t.Relation); isUser && role.Valid() && safeID(id) {
				out[id] = append(out[id], role)
			}
		}
		if next == "" {
			return out, nil
		}
		from = next
	}
	return nil, errors.New("openfga: a tenant has more tuples than can be read")
}

// readTuples returns one page of an object's tuples, and the token of the next page ("" if none).
func (c *client) readTuples(ctx context.Context, object, from string) (page []tuple, next string, err error) {
	in := map[string]any{
		"tuple_key": map[string]string{"object": object}, "page_size": readPage, "consistency": "HIGHER_CONSISTENCY",
	}
	if from != "" {
		in["continuation_token"] = from
	}
	var out struct {
		Tuples []struct {
			Key tuple `json:"key"`
		} `json:"tuples"`
		Next string `json:"continuation_token"`
	}
	err = c.do(ctx, call{
		method: http.MethodPost, path: c.ofStore("/read"), in: in, out: &out, timeout: syncTimeout,
		repeatable: true,
	})
	for _, t := range out.Tuples {
		page = append(page, t.Key)
	}
	return page, out.Next, err
}

// change is the difference for one user's roles in a tenant. It is written in one transaction, so that the user is
// never without a role between the old and the new one.
type change struct{ remove, add []tuple }

func (c change) size() int { return len(c.remove) + len(c.add) }

// writeTuples writes changes in transactions of at most writeBatch tuples. Adding an existing tuple or removing a
// missing one is not an error: another server of the same database may have been faster.
func (c *client) writeTuples(ctx context.Context, changes []change) error {
	var batch change
	for _, ch := range changes {
		if batch.size()+ch.size() > writeBatch {
			if err := c.writeBatch(ctx, batch); err != nil {
				return err
			}
			batch = change{}
		}
		batch.remove = append(batch.remove, ch.remove...)
		batch.add = append(batch.add, ch.add...)
	}
	return c.writeBatch(ctx, batch)
}

func (c *client) writeBatch(ctx context.Context, batch change) error {
	in := map[string]any{}
	if c.model != "" {
		in["authorization_model_id"] = c.model
	}
	if len(batch.add) > 0 {
		in["writes"] = map[string]any{"tuple_keys": batch.add, "on_duplicate": "ignore"}
	}
	if len(batch.remove) > 0 {
		in["deletes"] = map[string]any{"tuple_keys": batch.remove, "on_missing": "ignore"}
	}
	if batch.size() == 0 {
		return nil
	}
	return c.do(ctx, call{
		method: http.MethodPost, path: c.ofStore("/write"), in: in, timeout: syncTimeout, repeatable: true,
	})
}
