-- A repeated request gets the headers of the first answer too; old receipts and expired links are found by their time.

ALTER TABLE receipts ADD COLUMN headers TEXT; -- JSON object

CREATE INDEX receipts_created ON receipts (tenant_id, created_at);
CREATE INDEX exports_expires  ON exports (tenant_id, expires_at);
