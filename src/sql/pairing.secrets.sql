-- The secret of one pairing.
select secret
from pairing
order by created_at desc, uuid
