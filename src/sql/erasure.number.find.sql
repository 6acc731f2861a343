-- How often something was erased by another process: tells the service that its memory is behind.
select value as number
from installation
where name = 'erasures'
