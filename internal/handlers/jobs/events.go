package jobs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/views/ui"
)

const (
	// eventsEvery is how often a watched job is polled, and eventsFor how long one answer lasts: less than the
	// server's limit for an answer. The browser then connects again, and its login is checked again.
	eventsEvery = 500 * time.Millisecond
	eventsFor   = time.Minute
)

// watchJob sends the progress of a job as server-sent events (https://html.spec.whatwg.org/#server-sent-events), until
// it ends.
func (s *server) watchJob(c echo.Context) error {
	done, whose := s.watchers.begin(s.Who(c))
	if whose != "" {
		return whose.refuse(c)
	}
	defer done()
	ctx, chrome := c.Request().Context(), s.Chrome(c)
	end, tick := time.NewTimer(eventsFor), time.NewTicker(eventsEvery)
	defer end.Stop()
	defer tick.Stop()
	last := ""
	for {
		changed, _ := s.Store.JobsChanged()
		job, err := s.Store.Job(ctx, s.Who(c).Tenant, c.Param("id"))
		if err != nil {
			return err
		}
		line := chrome.JobLine(job)
		if last, err = sendProgress(c, line.Progress(), last); err != nil || !line.Open {
			return err
		}
		select {
		case <-tick.C:
		case <-changed: // this one may have ended
		case <-end.C:
			return nil
		case <-ctx.Done():
			return nil
		case <-s.stopping:
			return nil
		}
	}
}

// sendProgress sends one event, unless it equals the last one.
func sendProgress(c echo.Context, p ui.JobProgress, last string) (string, error) {
	data, err := json.Marshal(p)
	if err != nil || string(data) == last {
		return last, err
	}
	res := c.Response()
	if !res.Committed {
		res.Header().Set("Content-Type", "text/event-stream")
		res.WriteHeader(http.StatusOK)
	}
	if _, err := fmt.Fprintf(res, "data: %s\n\n", data); err != nil {
		return last, nil //nolint:nilerr // the browser is gone
	}
	return string(data), http.NewResponseController(res).Flush()
}
