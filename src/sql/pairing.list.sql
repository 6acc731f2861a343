-- One pairing, the oldest first.
select uuid, platform, created_at
from pairing
order by created_at, uuid
